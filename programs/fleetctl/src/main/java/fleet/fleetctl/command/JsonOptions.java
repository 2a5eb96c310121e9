package fleet.fleetctl.command;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The form of what is no list. */
final class JsonOptions {

  /** The forms by their names on the command line. */
  enum Form {
    text,
    json
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "text, or json: the objects of the API, one per line; see docs/api.md.")
  @Nullable Form form;

  @Option(names = "--json", description = "The same as -o json.")
  boolean json;

  boolean isJson() {
    return form == null ? json : form == Form.json;
  }
}
