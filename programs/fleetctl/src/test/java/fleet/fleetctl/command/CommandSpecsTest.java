package fleet.fleetctl.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The specs that are written at compile time are those that picocli reads from the annotations. */
class CommandSpecsTest {

  static List<String> commands() {
    return CommandNames.ALL;
  }

  @ParameterizedTest
  @MethodSource("commands")
  void everyCommandHasTheSpecOfItsAnnotations(String name) {
    CommandSpec written = CommandSpecs.of(CommandNames.create(name));
    CommandSpec read = CommandSpec.forAnnotatedObject(CommandNames.create(name));

    assertThat(texts(written)).isEqualTo(texts(read));
    assertThat(written.options().stream().map(CommandSpecsTest::option))
        .containsExactlyElementsOf(read.options().stream().map(CommandSpecsTest::option).toList());
    assertThat(written.positionalParameters().stream().map(CommandSpecsTest::positional))
        .containsExactlyElementsOf(
            read.positionalParameters().stream().map(CommandSpecsTest::positional).toList());
  }

  private static List<Object> texts(CommandSpec spec) {
    UsageMessageSpec usage = spec.usageMessage();
    return List.of(
        spec.name(),
        List.of(spec.aliases()),
        List.of(usage.header()),
        List.of(usage.customSynopsis()),
        List.of(usage.description()),
        usage.exitCodeList(),
        usage.exitCodeListHeading(),
        List.of(usage.footer()),
        usage.hidden());
  }

  private static String option(OptionSpec option) {
    return Stream.of(
            List.of(option.names()),
            option.fallbackValue(),
            option.order(),
            option.usageHelp(),
            common(option))
        .toList()
        .toString();
  }

  private static String positional(PositionalParamSpec positional) {
    return List.of(positional.index(), common(positional)).toString();
  }

  private static String common(ArgSpec spec) {
    return Arrays.asList(
            spec.arity(),
            spec.arity().isUnspecified(),
            spec.required(),
            spec.hidden(),
            spec.type(),
            List.of(spec.auxiliaryTypes()),
            Arrays.stream(spec.converters()).map(Object::getClass).toList(),
            spec.paramLabel(),
            spec.defaultValue(),
            List.of(spec.description()))
        .toString();
  }
}
