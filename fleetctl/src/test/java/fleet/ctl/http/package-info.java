/** Tests of the HTTP client. */
@NullMarked
package fleet.ctl.http;

import org.jspecify.annotations.NullMarked;
