package fleet.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import fleet.core.access.Action;
import fleet.core.audit.AuditLog;
import fleet.entities.EntityJson;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class PagesTest {

  private final Pages<String> pages = new Pages<>(2);

  private Page<String> page(Optional<String> token, Supplier<List<String>> list) {
    return page(token.map(text -> "?nextPageToken=" + text).orElse(""), list);
  }

  private Page<String> page(String query, Supplier<List<String>> list) {
    String target = "/fleet/v1/units" + query;
    return pages.page(
        new Exchange(
            PlayedRequest.get(target),
            new AuditedAnswer(
                PlayedRequest.get(target),
                new Route(Route.Where.HERE, "unit.read", Action.LIST, _ -> {}),
                new PlayedAnswer(),
                AuditLog.NONE),
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

  @Test
  void aClientSaysHowLongPagesAre() {
    Page<String> whole = page("?limit=4", PagesTest::units);
    assertThat(whole.items()).containsExactly("a", "b", "c");
    assertThat(whole.nextToken()).isEmpty();
    Page<String> first = page("?limit=1", PagesTest::units);
    assertThat(first.items()).containsExactly("a");
    String token = first.nextToken().orElseThrow();
    assertThat(page("?limit=1&nextPageToken=" + token, List::of).items()).containsExactly("b");
    assertThatThrownBy(() -> page("?nextPageToken=" + token, List::of))
        .hasMessageContaining("token limit must be 2");
    assertThatThrownBy(() -> page("?limit=all", List::of))
        .hasMessageContaining("limit must be a whole number of at least 1, not all");
  }

  @Test
  void aPageOfAMillionIsCut() {
    List<String> many = Collections.nCopies(6000, "a");
    Page<String> first = page("?limit=1000000", () -> many);
    assertThat(first.items()).hasSize(5000);
    String token = first.nextToken().orElseThrow();
    assertThat(page("?limit=1000000&nextPageToken=" + token, List::of).items()).hasSize(1000);
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
