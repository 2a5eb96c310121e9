package fleet.coordination.store;

import fleet.coordination.Answerer;
import fleet.coordination.EventLoop;
import fleet.registry.Delta;
import fleet.registry.Delta.Change;
import fleet.registry.Entry;
import fleet.registry.Registry;
import fleet.registry.RegistryException;
import fleet.registry.Snapshot;
import fleet.registry.records.Keys;
import fleet.registry.records.QuestionRecord;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the questions that others put to this machine in the store, each as long as its reader is
 * there. Belongs to its loop.
 */
final class QuestionWatch implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(QuestionWatch.class);

  private final EventLoop loop;
  private final StoreWork work;
  private final Registry registry;
  private final String machine;
  private final Answerer answerer;
  private final PrefixFollower following;
  private final Map<String, IncomingQuestion> answers = new HashMap<>();
  private @Nullable MachineLease membership;

  /** Begins to listen. */
  QuestionWatch(
      EventLoop loop,
      StoreWork work,
      Registry registry,
      String machine,
      MachineLease membership,
      Answerer answerer,
      Consumer<String> onFatal) {
    this.loop = loop;
    this.work = work;
    this.registry = registry;
    this.machine = machine;
    this.membership = membership;
    this.answerer = answerer;
    this.following =
        new PrefixFollower(
            loop, work, registry, Keys.questions(machine), new QuestionEvents(), onFatal);
  }

  void joined(MachineLease begun) {
    membership = begun;
  }

  /** The parts of answers that were written went with the lease, which tells their readers. */
  void lost() {
    membership = null;
    answers.values().forEach(IncomingQuestion::close);
  }

  private void asked(Entry entry) {
    IncomingQuestion known = answers.get(entry.key());
    try {
      QuestionRecord record = QuestionRecord.of(entry);
      if (known != null) {
        known.taken(record.taken());
      } else if (membership != null) {
        answers.put(
            entry.key(),
            new IncomingQuestion(
                loop, work, registry, answerer, machine, membership, entry, record.question()));
      }
    } catch (RegistryException e) {
      log.error("coordination: a question is not answered: {}", e.getMessage());
    }
  }

  private void closed(String key) {
    IncomingQuestion answer = answers.remove(key);
    if (answer != null) {
      answer.close();
    }
  }

  @Override
  public void close() {
    following.close();
    answers.values().forEach(IncomingQuestion::close);
  }

  private final class QuestionEvents implements PrefixFollower.Listener {

    @Override
    public void read(Snapshot snapshot) {
      Set<String> over = new HashSet<>(answers.keySet());
      for (Entry entry : snapshot.entries()) {
        over.remove(entry.key());
        asked(entry);
      }
      over.forEach(QuestionWatch.this::closed);
    }

    @Override
    public void changed(Delta delta) {
      for (Change change : delta.changes()) {
        switch (change) {
          case Change.Written written -> asked(written.entry());
          case Change.Deleted deleted -> closed(deleted.key());
        }
      }
    }
  }
}
