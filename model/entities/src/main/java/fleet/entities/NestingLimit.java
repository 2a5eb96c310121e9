package fleet.entities;

/**
 * Refuses JSON nested so deeply that reading it would exhaust the reader's stack. No entity needs
 * more than five levels.
 */
final class NestingLimit {

  private static final int MAX_DEPTH = 64;

  private NestingLimit() {}

  static void check(byte[] json) throws InvalidJsonException {
    var _ = end(json);
  }

  /** Refuses text behind the value as well. */
  static void checkAlone(byte[] json) throws InvalidJsonException {
    for (int i = end(json); i < json.length; i++) {
      if (json[i] < 0 || json[i] > ' ') {
        throw new InvalidJsonException("more than one value");
      }
    }
  }

  /** Returns where the first object or list ends. */
  private static int end(byte[] json) throws InvalidJsonException {
    int end = json.length;
    int depth = 0;
    boolean inString = false;
    for (int i = 0; i < json.length; i++) {
      byte b = json[i];
      if (inString) {
        if (b == '\\') {
          i++;
        }
        inString = b != '"';
      } else if (b == '"') {
        inString = true;
      } else if (b == '[' || b == '{') {
        depth++;
      } else if (b == ']' || b == '}') {
        depth--;
        end = depth == 0 ? Math.min(end, i + 1) : end;
      }
      if (depth > MAX_DEPTH) {
        throw new InvalidJsonException("nested deeper than " + MAX_DEPTH + " levels");
      }
    }
    return end;
  }
}
