package fleet.engine.decide;

import fleet.registry.Transaction;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes of one transaction, a key at most once: a later one takes the place of an earlier. */
public final class Writes {

  private final Map<String, Transaction.Write> byKey = new LinkedHashMap<>();

  public void put(String key, String value) {
    byKey.put(key, new Transaction.Write.Put(key, value));
  }

  public void delete(String key) {
    byKey.put(key, new Transaction.Write.Delete(key));
  }

  public boolean isEmpty() {
    return byKey.isEmpty();
  }

  public int size() {
    return byKey.size();
  }

  public Transaction transaction() {
    return new Transaction(List.of(), List.copyOf(byKey.values()));
  }
}
