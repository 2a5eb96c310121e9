package fleet.commandspecs;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.util.ElementFilter;

/** A class with fields for options and arguments: a command, or what several commands share. */
record OptionHolder(TypeElement type) {

  /** All that the commands have, in the order in which they are met. */
  static Set<OptionHolder> allOf(List<CommandClass> commands) {
    Set<OptionHolder> holders = new LinkedHashSet<>();
    commands.forEach(command -> command.holders().forEach(holder -> holder.collect(holders)));
    return holders;
  }

  private void collect(Set<OptionHolder> holders) {
    holders.add(this);
    mixins().forEach(mixin -> of(mixin).collect(holders));
  }

  boolean isEmpty() {
    return fields().isEmpty() && mixins().isEmpty();
  }

  /** A statement that adds all of it to a spec. */
  String addition(String it) {
    return "    add(spec, %s);\n".formatted(it);
  }

  /** The method that the statement calls, and a class that reads and writes the fields. */
  String source() {
    return method() + (fields().isEmpty() ? "" : fieldsClass());
  }

  /** In the order of the fields, as picocli goes through them. */
  private String method() {
    StringBuilder text = new StringBuilder();
    text.append("  private static void add(CommandSpec spec, %s it) {\n".formatted(name()));
    int number = 0;
    for (VariableElement one : ElementFilter.fieldsIn(type.getEnclosedElements())) {
      Optional<OptionField> field = OptionField.of(one);
      if (field.isPresent()) {
        String access = "new %sField(it, %d)".formatted(type.getSimpleName(), number++);
        text.append("    ").append(field.get().addition(access));
      } else if (isMixin(one)) {
        text.append(of(one).addition("it." + one.getSimpleName()));
      }
    }
    return text.append("  }\n\n").toString();
  }

  private String fieldsClass() {
    StringBuilder read = new StringBuilder();
    StringBuilder written = new StringBuilder();
    List<OptionField> fields = fields();
    for (int i = 0; i < fields.size(); i++) {
      OptionField field = fields.get(i);
      read.append("            case %d -> it.%s;\n".formatted(i, field.name()));
      written.append(
          "        case %d -> it.%s = (%s) (Object) value;\n"
              .formatted(i, field.name(), field.typeName()));
    }
    return """
      private record %sField(%s it, int number) implements IGetter, ISetter {

        @Override
        public <T> T get() {
          Object value =
              switch (number) {
    %s            default -> throw new IllegalStateException();
              };
          return (T) value;
        }

        @Override
        public <T> T set(T value) {
          T former = get();
          switch (number) {
    %s        default -> throw new IllegalStateException();
          }
          return former;
        }
      }

    """
        .formatted(type.getSimpleName(), name(), read, written);
  }

  String name() {
    return type.getQualifiedName().toString();
  }

  private List<OptionField> fields() {
    return ElementFilter.fieldsIn(type.getEnclosedElements()).stream()
        .flatMap(field -> OptionField.of(field).stream())
        .toList();
  }

  private List<VariableElement> mixins() {
    return ElementFilter.fieldsIn(type.getEnclosedElements()).stream()
        .filter(OptionHolder::isMixin)
        .toList();
  }

  private static boolean isMixin(VariableElement field) {
    return Annotation.find("Mixin", field).isPresent();
  }

  private static OptionHolder of(VariableElement mixin) {
    return new OptionHolder((TypeElement) ((DeclaredType) mixin.asType()).asElement());
  }
}
