package fleet.commandspecs;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;

/** A field that an option, or arguments without one, are read into. */
record OptionField(VariableElement field, boolean isOption, Annotation annotation) {

  private static final Map<String, String> ATTRIBUTES =
      Stream.of(
              "arity",
              "defaultValue",
              "description",
              "fallbackValue",
              "hidden",
              "index",
              "order",
              "paramLabel",
              "required",
              "usageHelp")
          .collect(Collectors.toMap(name -> name, name -> "." + name + "(%s)"));

  /** Empty for a field of another kind. */
  static Optional<OptionField> of(VariableElement field) {
    return Annotation.find("Option", field)
        .map(option -> new OptionField(field, true, option))
        .or(() ->
            Annotation.find("Parameters", field)
                .map(arguments -> new OptionField(field, false, arguments)));
  }

  String name() {
    return field.getSimpleName().toString();
  }

  /** Without annotations of the type. */
  String typeName() {
    return name(field.asType());
  }

  private static String name(TypeMirror type) {
    if (!(type instanceof DeclaredType declared)) {
      return type.getKind().name().toLowerCase(Locale.ROOT);
    }
    List<? extends TypeMirror> arguments = declared.getTypeArguments();
    String raw = ((TypeElement) declared.asElement()).getQualifiedName().toString();
    return arguments.isEmpty()
        ? raw
        : arguments.stream()
            .map(OptionField::name)
            .collect(Collectors.joining(", ", raw + "<", ">"));
  }

  /** A statement that adds it to a spec. */
  String addition(String access) {
    return "spec.%s%s%s%s.hasInitialValue(false).userObject(it).getter(%s).setter(%s).build());\n"
        .formatted(start(), annotation.calls(methods()), label(), types(), access, access);
  }

  private String start() {
    return isOption
        ? "addOption(OptionSpec.builder(" + annotation.values().get("names") + ")"
        : "addPositional(PositionalParamSpec.builder()" + required();
  }

  /** As picocli has it, arguments are required if there must be one. */
  private String required() {
    String arity = annotation.values().get("arity");
    if (arity == null) {
      throw new UnsupportedAttributeException(field + " needs an arity");
    }
    return arity.startsWith("\"0") ? "" : ".required(true)";
  }

  private String label() {
    return annotation.values().containsKey("paramLabel") ? "" : ".paramLabel(\"<" + name() + ">\")";
  }

  private Map<String, String> methods() {
    Map<String, String> methods = new HashMap<>(ATTRIBUTES);
    methods.put("names", "");
    String converter = annotation.values().get("converter");
    if (converter != null) {
      methods.put("converter", ".converters(new " + converter.replace(".class", "()") + ")");
    }
    return methods;
  }

  private String types() {
    String name = typeName();
    int arguments = name.indexOf('<');
    return arguments < 0
        ? ".type(" + name + ".class)"
        : ".type(%s.class).auxiliaryTypes(%s.class)"
            .formatted(
                name.substring(0, arguments), name.substring(arguments + 1, name.length() - 1));
  }
}
