package fleet.fleetd.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SpellingTest {
  @ParameterizedTest
  @CsvSource({
    "agent_tll, AGENT_TTL",
    "agent-ttl, AGENT_TTL",
    "AgentTTL, AGENT_TTL",
    "publicip, PUBLIC_IP",
    "etcd_server, ETCD_SERVERS",
    "metdata, METADATA",
    "unit_directory, UNITS_DIRECTORY",
  })
  void slipsLeadToTheOption(String key, Option expected) {
    assertThat(Option.nearest(key)).contains(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "log_format", "home", "raft_election_timeout"})
  void somethingElseLeadsNowhere(String key) {
    assertThat(Option.nearest(key)).isEmpty();
  }
}
