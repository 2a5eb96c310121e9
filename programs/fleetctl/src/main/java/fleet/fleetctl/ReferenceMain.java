package fleet.fleetctl;

import fleet.fleetctl.command.Completion;
import fleet.fleetctl.command.Help;
import fleet.fleetctl.reference.CommandPage;
import fleet.fleetctl.reference.ManPage;
import fleet.fleetctl.reference.Manual;
import fleet.fleetctl.reference.MarkdownPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes what documents the commands: with a file, docs/cli.md; with a directory, the manual pages
 * and the scripts for completion, which packaging puts there.
 */
public final class ReferenceMain {

  private ReferenceMain() {}

  /**
   * Writes them.
   *
   * @param arguments a file that ends in .md, or the directory share
   */
  public static void main(String[] arguments) throws IOException {
    Path place = Path.of(arguments[0]);
    if (arguments[0].endsWith(".md")) {
      Files.writeString(place, MarkdownPage.of(Help.manual()));
    } else {
      manualPages(Help.manual(), Files.createDirectories(place.resolve("man/man1")));
      completion(place, "bash", "bash-completion/completions/fleetctl");
      completion(place, "zsh", "zsh/site-functions/_fleetctl");
      completion(place, "fish", "fish/vendor_completions.d/fleetctl.fish");
    }
  }

  private static void manualPages(Manual manual, Path directory) throws IOException {
    Files.writeString(directory.resolve("fleetctl.1"), ManPage.of(manual));
    for (CommandPage page : manual.commands()) {
      Files.writeString(
          directory.resolve("fleetctl-" + page.name() + ".1"), ManPage.of(page, manual.version()));
    }
  }

  private static void completion(Path share, String shell, String name) throws IOException {
    Path file = share.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, Completion.script(shell));
  }
}
