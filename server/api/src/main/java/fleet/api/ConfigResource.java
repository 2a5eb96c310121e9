package fleet.api;

import fleet.cluster.Caller;
import fleet.cluster.Setting;
import fleet.entities.SettingEntity;
import fleet.entities.SettingsEntity;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Settings of the whole cluster: list, read, change. */
final class ConfigResource {

  private static final Logger LOG = LoggerFactory.getLogger(ConfigResource.class);

  void list(Exchange exchange) throws IOException {
    exchange.reply(
        new SettingsEntity(
            exchange.cluster().settings().stream().map(ConfigResource::entity).toList()));
  }

  void read(Exchange exchange, String name) throws IOException {
    exchange.reply(entity(existing(exchange, name)));
  }

  void unset(Exchange exchange, String name) throws IOException {
    Caller caller = exchange.caller();
    Optional<String> refusal = exchange.cluster().unset(name, caller);
    if (refusal.isPresent()) {
      throw new RefusedException(404, refusal.get());
    }
    LOG.info("{} unset by {}", name, caller);
    exchange.reply(204);
  }

  void set(Exchange exchange, String name) throws IOException {
    String value = exchange.json(SettingEntity.class).value();
    Caller caller = exchange.caller();
    Optional<String> refusal = exchange.cluster().set(name, value, caller);
    if (refusal.isPresent()) {
      throw RefusedException.badRequest(refusal.get());
    }
    exchange.answer().because("\"" + value + "\"");
    LOG.info("{} set to {} by {}", name, value, caller);
    exchange.reply(204);
  }

  private static Setting existing(Exchange exchange, String name) {
    List<Setting> all = exchange.cluster().settings();
    return all.stream()
        .filter(setting -> setting.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new RefusedException(
                404,
                "there is no setting \"%s\": there are %s"
                    .formatted(
                        name, all.stream().map(Setting::name).collect(Collectors.joining(", ")))));
  }

  private static SettingEntity entity(Setting setting) {
    return new SettingEntity(setting.name(), setting.value(), setting.usual(), setting.by());
  }
}
