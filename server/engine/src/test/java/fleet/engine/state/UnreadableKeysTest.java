package fleet.engine.state;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitName;
import fleet.registry.Entry;
import fleet.registry.records.FileRecord;
import fleet.registry.records.Keys;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class UnreadableKeysTest {

  private static final String KEY = Keys.unit(UnitName.of("web.service"));

  private final ClusterState cluster = new ClusterState();

  private void write(String value) {
    var _ = cluster.written(new Entry(KEY, value, 1, 2));
  }

  @Test
  void whatCannotBeReadIsToldOnceAndOnceMoreToSomebodyElse() {
    write("garbage");
    List<String> told = cluster.unreadable().takeUntold();
    assertThat(told).singleElement().asString().contains(KEY, "left alone until");
    assertThat(cluster.unreadable().takeUntold()).isEmpty();

    cluster.unreadable().tellAgain();
    assertThat(cluster.unreadable().takeUntold()).isEqualTo(told);
    assertThat(cluster.unreadable().takeUntold()).isEmpty();
  }

  @Test
  void aTextThatTakesMoreStackThanThereIsIsAFaultOfItsKey() throws Exception {
    Entry first = file("Affinity=unit==/" + "(".repeat(200) + "n" + ")".repeat(200) + "/");
    Entry entry = file("Affinity=unit==/" + "(".repeat(200) + "m" + ")".repeat(200) + "/");
    // A class whose loading ran out of stack is never loaded again.
    var _ = cluster.written(first);
    write("garbage");
    assertThat(cluster.unreadable().takeUntold()).hasSize(1);

    onSmallStack(() -> fromTheEndOfTheStack(0, () -> cluster.written(entry)));

    assertThat(cluster.unreadable().takeUntold())
        .isNotEmpty()
        .allSatisfy(fault ->
            assertThat(fault)
                .contains(entry.key(), "StackOverflowError", "until they are submitted again"));
    assertThat(cluster.written(entry)).isInstanceOf(ChangedSubject.Nothing.class);
    assertThat(cluster.files().has(entry.key().substring(Keys.FILES.length()))).isTrue();
  }

  private static Entry file(String fleet) throws Exception {
    UnitFile file = UnitFile.parse("[Service]\nExecStart=/bin/true\n[X-Fleet]\n" + fleet + "\n");
    return new Entry(Keys.file(file.sha256()), new FileRecord(file.render()).json(), 1, 2);
  }

  /** Makes a call as deep in the stack as it can be made without an error. */
  private static void fromTheEndOfTheStack(int depth, Supplier<?> call) {
    try {
      if (depth < Integer.MAX_VALUE) {
        fromTheEndOfTheStack(depth + 1, call);
      }
    } catch (StackOverflowError e) {
      var _ = call.get();
    }
  }

  private static void onSmallStack(Runnable work) throws InterruptedException {
    Thread thread = new Thread(null, work, "small stack", 512 * 1024);
    thread.start();
    thread.join();
  }

  @Test
  void whatIsMendedIsNotToldAgain() {
    write("garbage");
    var _ = cluster.deleted(KEY);
    cluster.unreadable().tellAgain();
    assertThat(cluster.unreadable().takeUntold()).isEmpty();
  }
}
