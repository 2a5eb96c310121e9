package fleet.commandspecs;

import java.util.List;
import javax.lang.model.element.TypeElement;

/** The source of the class that makes specs. Used once. */
final class SpecsSource {

  private final String inPackage;
  private final String name;
  private final StringBuilder text = new StringBuilder();

  SpecsSource(String inPackage, String name) {
    this.inPackage = inPackage;
    this.name = name;
  }

  String of(List<TypeElement> commands) {
    text.append(
        """
        package %1$s;

        import javax.annotation.processing.Generated;
        import picocli.CommandLine.Model.CommandSpec;
        import picocli.CommandLine.Model.IGetter;
        import picocli.CommandLine.Model.ISetter;
        import picocli.CommandLine.Model.OptionSpec;
        import picocli.CommandLine.Model.PositionalParamSpec;
        import picocli.CommandLine.Model.UsageMessageSpec;

        @Generated("fleet.commandspecs.CommandSpecProcessor")
        @SuppressWarnings({"cast", "rawtypes", "unchecked"})
        final class %2$s {

          private %2$s() {}

        """
            .formatted(inPackage, name));
    List<CommandClass> classes = commands.stream().map(CommandClass::new).toList();
    choice(classes);
    classes.forEach(command -> text.append(command.specMethod()));
    OptionHolder.allOf(classes).forEach(holder -> text.append(holder.source()));
    return text.append("}\n").toString();
  }

  private void choice(List<CommandClass> commands) {
    text.append("  static CommandSpec of(Object command) {\n");
    for (CommandClass command : commands) {
      text.append(
          "    if (command instanceof %1$s it) {\n      return spec(it);\n    }\n"
              .formatted(command.name()));
    }
    text.append("    throw new IllegalArgumentException(command.getClass().getName());\n  }\n\n");
  }
}
