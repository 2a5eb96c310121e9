package fleet.fleetctl.reference;

import java.util.List;
import java.util.Locale;

/** Manual pages, in the macros of man(7): one of fleetctl, and one of each command. */
public final class ManPage {

  private final StringBuilder text = new StringBuilder();

  private ManPage(String name, String version, String summary) {
    text.append(
        ".TH %s 1 \"\" \"fleet %s\" \"fleet\"\n"
            .formatted(name.toUpperCase(Locale.ROOT).replace("-", "\\-"), version));
    // No page is adjusted at both margins, or broken inside of words.
    text.append(".nh\n.ad l\n.SH NAME\n");
    text.append(escaped(name)).append(" \\- ").append(escaped(summary)).append('\n');
  }

  /** The page of fleetctl itself. */
  public static String of(Manual manual) {
    ManPage page = new ManPage("fleetctl", manual.version(), Manual.SUMMARY);
    page.section("SYNOPSIS");
    page.code(List.of(Manual.CALL));
    page.section("DESCRIPTION");
    page.paragraphs(manual.paragraphs());
    page.section("COMMANDS");
    for (Manual.Topic topic : manual.topics()) {
      page.text.append(".SS ").append(escaped(topic.title())).append('\n');
      for (CommandPage command : topic.commands()) {
        page.item(
            escaped(command.name()), command.summary() + ": fleetctl-" + command.name() + "(1)");
      }
    }
    page.section("GLOBAL OPTIONS");
    page.flags(manual.globals());
    return page.text.toString();
  }

  /** The page of one command. */
  public static String of(CommandPage command, String version) {
    ManPage page = new ManPage("fleetctl-" + command.name(), version, command.summary());
    page.section("SYNOPSIS");
    page.code(command.synopses().stream().map(command::call).toList());
    page.section("DESCRIPTION");
    page.paragraphs(command.paragraphs());
    if (!command.aliases().isEmpty()) {
      page.paragraphs(List.of("Other names: " + String.join(", ", command.aliases()) + "."));
    }
    if (!command.flags().isEmpty()) {
      page.section("OPTIONS");
      page.flags(command.flags());
    }
    page.section("EXIT STATUS");
    command.exitCodes().forEach((code, meaning) -> page.item(code + "", meaning));
    page.section("EXAMPLES");
    page.code(command.examples());
    page.section("SEE ALSO");
    page.text.append(".BR fleetctl (1)\n");
    return page.text.toString();
  }

  private void section(String title) {
    text.append(".SH ").append(title).append('\n');
  }

  private void paragraphs(List<String> paragraphs) {
    paragraphs.stream()
        .filter(paragraph -> !paragraph.isEmpty())
        .forEach(paragraph -> text.append(".PP\n").append(line(paragraph)).append('\n'));
  }

  private void flags(List<Flag> flags) {
    flags.forEach(flag -> item("\\fB" + escaped(flag.text()) + "\\fR", flag.meaning()));
  }

  private void item(String tag, String meaning) {
    text.append(".TP\n").append(tag).append('\n').append(line(meaning)).append('\n');
  }

  private void code(List<String> lines) {
    text.append(".PP\n.nf\n");
    lines.forEach(one -> text.append(line(one)).append('\n'));
    text.append(".fi\n");
  }

  /** A line must not begin as a macro does. */
  private static String line(String plain) {
    String escaped = escaped(plain);
    return escaped.startsWith(".") || escaped.startsWith("'") ? "\\&" + escaped : escaped;
  }

  private static String escaped(String plain) {
    return plain.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq");
  }
}
