package fleet.fleetctl.reference;

import java.util.List;

/** All commands as one document. */
public final class MarkdownPage {

  private static final String HEAD =
      """
      # Commands of fleetctl

      The same texts as `fleetctl help` and the manual pages have. Made by `./dev docs`: change the command itself, then run that.

      """;

  private final StringBuilder text = new StringBuilder(HEAD);

  private MarkdownPage() {}

  public static String of(Manual manual) {
    MarkdownPage page = new MarkdownPage();
    page.code(List.of(Manual.CALL));
    page.paragraphs(manual.paragraphs());
    manual.topics().forEach(page::topic);
    page.text.append("## Global options\n\n");
    page.flags(manual.globals());
    manual.commands().forEach(page::command);
    return page.text.toString().stripTrailing() + "\n";
  }

  private void topic(Manual.Topic topic) {
    text.append("| %s | |\n|---|---|\n".formatted(topic.title()));
    for (CommandPage command : topic.commands()) {
      text.append("| [%1$s](#%1$s) | %2$s |\n".formatted(command.name(), cell(command.summary())));
    }
    text.append('\n');
  }

  private void command(CommandPage page) {
    text.append("## ").append(page.name()).append("\n\n").append(escaped(page.summary()));
    text.append(page.aliases().isEmpty() ? "." : ". Also: " + names(page.aliases()) + ".");
    text.append("\n\n");
    code(page.synopses().stream().map(page::call).toList());
    paragraphs(page.paragraphs());
    flags(page.flags());
    text.append("| exit code | |\n|---|---|\n");
    page.exitCodes()
        .forEach((code, meaning) -> text.append("| %d | %s |\n".formatted(code, cell(meaning))));
    text.append('\n');
    code(page.examples());
  }

  private static String names(List<String> names) {
    return "`" + String.join("`, `", names) + "`";
  }

  private void code(List<String> lines) {
    text.append("```\n").append(String.join("\n", lines)).append("\n```\n\n");
  }

  private void paragraphs(List<String> paragraphs) {
    paragraphs.stream()
        .filter(paragraph -> !paragraph.isEmpty())
        .forEach(paragraph -> text.append(escaped(paragraph)).append("\n\n"));
  }

  private void flags(List<Flag> flags) {
    if (flags.isEmpty()) {
      return;
    }
    text.append("| option | |\n|---|---|\n");
    for (Flag flag : flags) {
      text.append("| `%s` | %s |\n".formatted(flag.text(), cell(flag.meaning())));
    }
    text.append('\n');
  }

  private static String cell(String plain) {
    return escaped(plain).replace("|", "\\|");
  }

  private static String escaped(String plain) {
    return plain
        .replace("\\", "\\\\")
        .replace("*", "\\*")
        .replace("_", "\\_")
        .replace("<", "&lt;")
        .replace("[", "\\[");
  }
}
