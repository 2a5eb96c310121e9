package fleet.fleetd.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.event.Level;

/**
 * The options that are set: the command line's over the environment's over the file's. Empty values
 * count as not set.
 */
final class Settings {
  private final Map<Option, ConfiguredOption> settings = new EnumMap<>(Option.class);
  private final List<Notice> notices = new ArrayList<>();

  void addFile(String name, IniFile file) {
    Map<Option, ConfiguredOption> found = new EnumMap<>(Option.class);
    for (IniFile.Entry entry : file.entries()) {
      String origin = name + ":" + entry.line();
      Optional<Option> option = Option.ofKey(entry.key());
      if (!entry.section().isEmpty()) {
        warn(
            "%s: %s is below [%s] and is not read: options belong above the first section"
                .formatted(origin, entry.key(), entry.section()));
      } else if (option.isEmpty()) {
        warn(origin + ": " + unknown(entry.key()) + suggestion(entry.key()));
      } else {
        ConfiguredOption setting =
            new ConfiguredOption(option.get(), entry.value(), origin, entry.key());
        ConfiguredOption former = found.put(option.get(), setting);
        if (former != null) {
          warn(origin + ": " + entry.key() + " replaces the value of " + former.origin());
        }
      }
    }
    found.values().forEach(this::add);
  }

  /** Takes the {@code FLEET_*} variables out of an environment. */
  void addEnvironment(Map<String, String> environment) {
    for (Map.Entry<String, String> variable : new TreeMap<>(environment).entrySet()) {
      String name = variable.getKey();
      if (!name.startsWith(Option.ENVIRONMENT_PREFIX) || name.equals(Option.LAUNCHER_VARIABLE)) {
        continue;
      }
      String key = name.substring(Option.ENVIRONMENT_PREFIX.length()).toLowerCase(Locale.ROOT);
      Optional<Option> option = Option.ofKey(key).filter(known -> known.variable().equals(name));
      if (option.isPresent()) {
        add(new ConfiguredOption(option.get(), variable.getValue().strip(), "environment", name));
      } else {
        warn("environment: " + unknown(name) + variableSuggestion(key));
      }
    }
  }

  /** Takes options that were given on the command line, by their keys. */
  void addCommandLine(Map<String, String> options) {
    options.forEach((key, value) ->
        add(
            new ConfiguredOption(
                Option.ofKey(key).orElseThrow(),
                value.strip(),
                ConfiguredOption.COMMAND_LINE,
                "--" + key)));
  }

  private void add(ConfiguredOption setting) {
    if (!setting.value().isEmpty()) {
      settings.put(setting.option(), setting);
    }
  }

  private static String unknown(String name) {
    return name + " is not an option of fleetd and is ignored";
  }

  private static String suggestion(String key) {
    return Option.nearest(key).map(near -> "; did you mean " + near.key() + "?").orElse("");
  }

  private static String variableSuggestion(String key) {
    return Option.nearest(key).map(near -> "; did you mean " + near.variable() + "?").orElse("");
  }

  void warn(String text) {
    notices.add(new Notice(Level.WARN, text));
  }

  void inform(String text) {
    notices.add(new Notice(Level.INFO, text));
  }

  List<Notice> notices() {
    return List.copyOf(notices);
  }

  Collection<ConfiguredOption> all() {
    return Collections.unmodifiableCollection(settings.values());
  }

  Optional<ConfiguredOption> find(Option option) {
    return Optional.ofNullable(settings.get(option));
  }

  <T> Optional<T> find(Option option, ValueType<T> type) throws ConfigurationException {
    ConfiguredOption setting = settings.get(option);
    return setting == null ? Optional.empty() : Optional.of(setting.as(type));
  }

  <T> T get(Option option, ValueType<T> type, T otherwise) throws ConfigurationException {
    return find(option, type).orElse(otherwise);
  }

  boolean isTrue(Option option) throws ConfigurationException {
    return get(option, ValueType.BOOLEAN, false);
  }
}
