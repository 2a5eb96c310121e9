package fleet.agent.usage;

import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;

/** Builds a line of JSON. Unknown values are left out. */
final class UsageLine {

  private final StringBuilder text = new StringBuilder();
  private boolean first = true;

  UsageLine open() {
    return punctuation('{');
  }

  UsageLine close() {
    text.append('}');
    first = false;
    return this;
  }

  UsageLine openList(String name) {
    name(name);
    text.append('[');
    first = true;
    return this;
  }

  UsageLine closeList() {
    text.append(']');
    first = false;
    return this;
  }

  UsageLine put(String name, long number) {
    name(name);
    text.append(number);
    return this;
  }

  UsageLine put(String name, OptionalLong number) {
    return number.isPresent() ? put(name, number.getAsLong()) : this;
  }

  UsageLine putUnlessZero(String name, long number) {
    return number == 0 ? this : put(name, number);
  }

  /** Names of units have no characters to escape but backslashes. */
  UsageLine put(String name, String unitName) {
    name(name);
    text.append('"').append(unitName.replace("\\", "\\\\")).append('"');
    return this;
  }

  private void name(String name) {
    comma();
    text.append('"').append(name).append("\":");
  }

  private UsageLine punctuation(char c) {
    comma();
    text.append(c);
    first = true;
    return this;
  }

  private void comma() {
    if (!first) {
      text.append(',');
    }
    first = false;
  }

  byte[] bytes() {
    return (text + "\n").getBytes(StandardCharsets.UTF_8);
  }
}
