package fleet.api;

import fleet.cluster.AccessGrants;
import fleet.cluster.Caller;
import fleet.core.access.AccessRole;
import fleet.core.access.Grant;
import fleet.core.access.GrantHolder;
import fleet.core.requirements.Glob;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/** Grants that are kept in a map. */
final class FakeGrants implements AccessGrants {

  private final Map<GrantHolder, Given> grants = new ConcurrentSkipListMap<>();
  final Set<Runnable> followers = new CopyOnWriteArraySet<>();

  /** How often somebody read them. */
  final AtomicInteger readings = new AtomicInteger();

  void give(String holder, AccessRole role, String... units) {
    grant(
        new Grant(
            GrantHolder.parse(holder).orElseThrow(),
            role,
            Stream.of(units).map(Glob::new).toList(),
            Map.of()),
        new Caller("user root"));
  }

  @Override
  public List<Given> list() {
    readings.incrementAndGet();
    return List.copyOf(grants.values());
  }

  @Override
  public void grant(Grant grant, Caller caller) {
    grants.put(grant.holder(), new Given(grant, caller.name(), List.of()));
    followers.forEach(Runnable::run);
  }

  @Override
  public boolean revoke(GrantHolder holder, Caller caller) {
    boolean was = grants.remove(holder) != null;
    followers.forEach(Runnable::run);
    return was;
  }

  @Override
  public Following follow(Runnable changed) {
    followers.add(changed);
    return () -> followers.remove(changed);
  }
}
