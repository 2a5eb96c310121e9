package fleet.commandspecs;

/** An annotation says what no code is written for. */
final class UnsupportedAttributeException extends RuntimeException {

  UnsupportedAttributeException(String what) {
    super(what);
  }
}
