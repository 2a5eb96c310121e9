package fleet.fleetctl.command;

import java.lang.reflect.Field;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/**
 * Tells whether the word after a flag is the flag's value. Needed only for flags that stand before
 * the command, when nobody knows yet whose flags they are.
 */
final class ValuedFlags {

  private ValuedFlags() {}

  /**
   * Whether the next word belongs to a flag.
   *
   * @param flag as it was given; one with {@code =} has its value already
   */
  static boolean takesNextWord(String flag) {
    if (flag.indexOf('=') >= 0) {
      return false;
    }
    for (Field field : GlobalOptions.class.getDeclaredFields()) {
      Option option = field.getAnnotation(Option.class);
      if (option != null && List.of(option.names()).contains(flag)) {
        // An arity is written down only for flags that need no value.
        return option.arity().isEmpty() && field.getType() != boolean.class;
      }
    }
    // The flags of all commands are read only if a flag of one precedes it, which is rare.
    return CommandNames.ALL.stream()
        .map(CommandNames::specOf)
        .flatMap(spec -> spec.options().stream())
        .anyMatch(option -> isValued(option) && List.of(option.names()).contains(flag));
  }

  static boolean isValued(OptionSpec option) {
    return option.arity().min() > 0;
  }
}
