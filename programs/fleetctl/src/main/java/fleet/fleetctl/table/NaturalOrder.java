package fleet.fleetctl.table;

import java.util.Comparator;

/** The order of texts in which numbers count: {@code app@2} comes before {@code app@10}. */
public final class NaturalOrder implements Comparator<String> {

  @Override
  public int compare(String left, String right) {
    int l = 0;
    int r = 0;
    while (l < left.length() && r < right.length()) {
      int order;
      int leftEnd = digits(left, l);
      int rightEnd = digits(right, r);
      if (leftEnd > l && rightEnd > r) {
        order = numbers(left.substring(l, leftEnd), right.substring(r, rightEnd));
        l = leftEnd;
        r = rightEnd;
      } else {
        order = Character.compare(left.charAt(l++), right.charAt(r++));
      }
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(left.length() - l, right.length() - r);
  }

  /** The end of the digits that begin here. */
  private static int digits(String text, int from) {
    int end = from;
    while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
      end++;
    }
    return end;
  }

  private static int numbers(String left, String right) {
    String shortLeft = left.replaceFirst("^0+(?=.)", "");
    String shortRight = right.replaceFirst("^0+(?=.)", "");
    return shortLeft.length() == shortRight.length()
        ? shortLeft.compareTo(shortRight)
        : Integer.compare(shortLeft.length(), shortRight.length());
  }
}
