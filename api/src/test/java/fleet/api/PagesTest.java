package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.audit.AuditLog;
import fleet.entities.EntityJson;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class PagesTest {

  private final Pages<String> pages = new Pages<>(2);

  private Page<String> page(Optional<String> token, Supplier<List<String>> list) {
    String target = "/fleet/v1/units" + token.map(text -> "?nextPageToken=" + text).orElse("");
    return pages.page(
        new Exchange(
            PlayedRequest.get(target),
            new AuditedAnswer(PlayedRequest.get(target), new PlayedAnswer(), AuditLog.NONE),
            new EntityJson()),
        list);
  }

  private static List<String> units() {
    return new ArrayList<>(List.of("a", "b", "c"));
  }

  @Test
  void furtherPagesAreOfTheListOfTheFirst() {
    Page<String> first = page(Optional.empty(), PagesTest::units);
    assertThat(page(first.nextToken(), List::of).items()).containsExactly("c");
  }

  private WeakReference<List<String>> readToTheEnd() {
    List<String> units = units();
    Page<String> first = page(Optional.empty(), () -> units);
    assertThat(page(first.nextToken(), List::of).nextToken()).isEmpty();
    return new WeakReference<>(units);
  }

  /** A list of a large cluster takes megabytes, and goes with its last page. */
  @Test
  void aListThatWasReadToItsEndIsNotKept() {
    WeakReference<List<String>> units = readToTheEnd();
    while (units.get() != null) {
      System.gc();
    }
  }
}
