package fleet.dashboard;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the files of the dashboard by the paths at which a browser asks for them. They are read
 * from the class path each time: people ask rarely, and fleetd keeps none of them in memory. Safe
 * for use by many threads.
 */
public final class DashboardFiles {

  /** The path of the page that loads everything else. */
  public static final String PAGE = "/";

  /** The beginning of the paths of all other files. */
  public static final String PREFIX = "/dashboard/";

  /** Names with one dot each: no path leads out of the folder. */
  private static final Pattern NAME =
      Pattern.compile("(?:[A-Za-z0-9_-]+/)*[A-Za-z0-9_-]+\\.([a-z]+)");

  private static final Map<String, String> MEDIA_TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "txt", "text/plain; charset=utf-8",
          "svg", "image/svg+xml",
          "png", "image/png");

  private DashboardFiles() {}

  /** Whether a path is one of the dashboard, be there a file or not. */
  public static boolean isOfDashboard(String path) {
    return path.equals(PAGE) || path.startsWith(PREFIX);
  }

  /**
   * The file at a path; empty if there is none.
   *
   * @param path of a URL, without its query
   */
  public static Optional<DashboardFile> find(String path) throws IOException {
    if (path.equals(PAGE)) {
      return read("index.html");
    }
    return path.startsWith(PREFIX) ? read(path.substring(PREFIX.length())) : Optional.empty();
  }

  private static Optional<DashboardFile> read(String name) throws IOException {
    Matcher matcher = NAME.matcher(name);
    if (!matcher.matches() || !MEDIA_TYPES.containsKey(matcher.group(1))) {
      return Optional.empty();
    }
    String mediaType = MEDIA_TYPES.get(matcher.group(1));
    try (InputStream in = DashboardFiles.class.getResourceAsStream("web/" + name + ".gz")) {
      return in == null
          ? Optional.empty()
          : Optional.of(new DashboardFile(mediaType, in.readAllBytes()));
    }
  }
}
