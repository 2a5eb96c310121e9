package fleet.commandspecs;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;

/** A class that is a command. */
record CommandClass(TypeElement type) {

  private static final String USAGE = "    spec.usageMessage().";

  private static final Map<String, String> ATTRIBUTES =
      Map.of(
          "name", "    spec.name(%s);\n",
          "aliases", "    spec.aliases(%s);\n",
          "header", USAGE + "header(%s);\n",
          "customSynopsis", USAGE + "customSynopsis(%s);\n",
          "description", USAGE + "description(%s);\n",
          "exitCodeListHeading", USAGE + "exitCodeListHeading(%s);\n",
          "footer", USAGE + "footer(%s);\n",
          "hidden", USAGE + "hidden(%s);\n",
          "exitCodeList", USAGE + "exitCodeList(UsageMessageSpec.keyValuesMap(%s));\n");

  String name() {
    return type.getQualifiedName().toString();
  }

  /** The classes that it extends, from the top, and itself; without those that hold no options. */
  List<OptionHolder> holders() {
    List<OptionHolder> holders = new ArrayList<>();
    for (TypeElement one = type; ; ) {
      holders.addFirst(new OptionHolder(one));
      if (!(one.getSuperclass() instanceof DeclaredType above)) {
        break;
      }
      one = (TypeElement) above.asElement();
    }
    holders.removeIf(OptionHolder::isEmpty);
    return holders;
  }

  String specMethod() {
    StringBuilder text = new StringBuilder();
    text.append("  private static CommandSpec spec(%s it) {\n".formatted(name()));
    text.append("    CommandSpec spec = CommandSpec.wrapWithoutInspection(it);\n");
    text.append(Annotation.find("Command", type).orElseThrow().calls(ATTRIBUTES));
    for (OptionHolder holder : holders()) {
      text.append(holder.addition("(" + holder.name() + ") it"));
    }
    return text.append("    return spec;\n  }\n\n").toString();
  }
}
