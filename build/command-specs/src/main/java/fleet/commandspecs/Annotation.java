package fleet.commandspecs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;

/**
 * An annotation of picocli, as it is written in the source.
 *
 * @param values the attributes that it has, as expressions of Java; those of lists with commas
 */
record Annotation(Map<String, String> values) {

  /** The one of an element, by its simple name. */
  static Optional<Annotation> find(String name, Element element) {
    for (AnnotationMirror mirror : element.getAnnotationMirrors()) {
      TypeElement type = (TypeElement) mirror.getAnnotationType().asElement();
      if (type.getQualifiedName().contentEquals("picocli.CommandLine." + name)) {
        return Optional.of(of(mirror));
      }
    }
    return Optional.empty();
  }

  private static Annotation of(AnnotationMirror mirror) {
    Map<String, String> values = new LinkedHashMap<>();
    for (Map.Entry<? extends ExecutableElement, ? extends AnnotationValue> one :
        mirror.getElementValues().entrySet()) {
      values.put(one.getKey().getSimpleName().toString(), expression(one.getValue()));
    }
    return new Annotation(values);
  }

  private static String expression(AnnotationValue value) {
    return value.getValue() instanceof List<?> list
        ? list.stream().map(Object::toString).collect(Collectors.joining(", "))
        : value.toString();
  }

  /** Calls of a builder's methods that are named as the attributes, with them. */
  String calls(Map<String, String> methods) {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, String> value : values.entrySet()) {
      String call = methods.get(value.getKey());
      if (call == null) {
        throw new UnsupportedAttributeException(value.getKey() + " is an unknown attribute");
      }
      text.append(call.formatted(value.getValue()));
    }
    return text.toString();
  }
}
