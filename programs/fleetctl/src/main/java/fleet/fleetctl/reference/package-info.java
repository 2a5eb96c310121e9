/**
 * The reference of fleetctl: one model, read from the commands themselves, and its forms: help,
 * manual pages, a document.
 */
@NullMarked
package fleet.fleetctl.reference;

import org.jspecify.annotations.NullMarked;
