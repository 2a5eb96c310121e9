/** Tests of questions to machines. */
@NullMarked
package fleet.core.question;

import org.jspecify.annotations.NullMarked;
