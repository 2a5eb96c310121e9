package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The caller of a request, and what fleet allows it.
 *
 * @param name as the audit log has it, such as {@code person anna}
 * @param role the highest that the caller has, be it on some units only
 * @param actions that the caller may do, as {@code access check} names them
 * @param limited those of them that the caller may do to a part of the cluster only
 */
@Json
public record WhoAmIEntity(
    String name, @Nullable String role, List<String> actions, List<String> limited)
    implements Entity {

  public WhoAmIEntity {
    name = Empty.ifAbsent(name);
    actions = Empty.ifAbsent(actions);
    limited = Empty.ifAbsent(limited);
  }
}
