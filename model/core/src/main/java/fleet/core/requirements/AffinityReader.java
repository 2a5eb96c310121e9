package fleet.core.requirements;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads one value of {@code Affinity=}, or says what is wrong with it. */
final class AffinityReader {

  static final Pattern NUMBER = Pattern.compile("[+-]?\\d+(?:\\.\\d+)?");

  private static final Pattern FORM =
      Pattern.compile(
          "(?:(?<weight>[^:=!<>~\\s]*):)?\\s*(?<subject>[A-Za-z_][A-Za-z0-9_.-]*)"
              + "(?:\\s*(?<sign>==|!=|<|>)|\\s+(?<in>in))(?<soft>~?)\\s*(?<value>.*)",
          Pattern.DOTALL);
  private static final Pattern WEIGHT = Pattern.compile("[1-9]\\d{0,5}");

  private final @Nullable Affinity affinity;
  private final @Nullable String fault;

  private AffinityReader(@Nullable Affinity affinity, @Nullable String fault) {
    this.affinity = affinity;
    this.fault = fault;
  }

  static AffinityReader read(String text) {
    Matcher form = FORM.matcher(text.strip());
    if (!form.matches()) {
      return faulty("it is not [WEIGHT:]unit|KEY OP[~] VALUE with OP one of ==, !=, <, > and in");
    }
    boolean soft = !form.group("soft").isEmpty();
    String weight = form.group("weight");
    if (weight != null && !WEIGHT.matcher(weight).matches()) {
      return faulty("the weight \"" + weight + "\" is not a number from 1 to 999999");
    }
    if (weight != null && !soft) {
      return faulty("only a soft one has a weight: put a ~ behind the operator, or leave it out");
    }
    String value = form.group("value").strip();
    if (value.isEmpty()) {
      return faulty("there is nothing behind the operator");
    }
    Affinity.Operator operator = operator(form);
    List<TextPattern> values = values(operator, value).map(TextPattern::of).toList();
    int heaviness = weight == null ? 1 : Integer.parseInt(weight);
    return checked(new Affinity(form.group("subject"), operator, values, soft, heaviness));
  }

  private static AffinityReader checked(Affinity read) {
    boolean compares =
        read.operator() == Affinity.Operator.LESS || read.operator() == Affinity.Operator.MORE;
    if (read.values().isEmpty()) {
      return faulty("there is nothing behind the operator");
    }
    if (compares && read.isAboutUnits()) {
      return faulty("units are not compared: use ==, != or in");
    }
    if (compares && Affinity.number(read.values().getFirst().toString()).isEmpty()) {
      return faulty("\"" + read.values().getFirst() + "\" is not a number to compare with");
    }
    return read.fault().map(AffinityReader::faulty).orElseGet(() -> new AffinityReader(read, null));
  }

  private static AffinityReader faulty(String why) {
    return new AffinityReader(null, why);
  }

  private static Affinity.Operator operator(Matcher form) {
    String text = form.group("sign") == null ? form.group("in") : form.group("sign");
    return Stream.of(Affinity.Operator.values())
        .filter(operator -> operator.text().equals(text))
        .findFirst()
        .orElseThrow();
  }

  private static Stream<String> values(Affinity.Operator operator, String value) {
    return operator == Affinity.Operator.IN
        ? Arrays.stream(value.split("[,\\s]+")).filter(one -> !one.isEmpty())
        : Stream.of(value);
  }

  Optional<Affinity> affinity() {
    return Optional.ofNullable(affinity);
  }

  Optional<String> fault() {
    return Optional.ofNullable(fault);
  }
}
