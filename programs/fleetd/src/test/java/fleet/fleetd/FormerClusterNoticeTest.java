package fleet.fleetd;

import static org.assertj.core.api.Assertions.assertThat;

import fleet.fleetd.config.Configuration;
import fleet.registry.etcd.EtcdServer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FormerClusterNoticeTest {

  private static final String JOBS = "/v2/keys/_coreos.com/fleet/job/";

  @TempDir Path directory;

  private static Configuration.Etcd at(URI... servers) {
    return new Configuration.Etcd(
        List.of(servers),
        Optional.empty(),
        Optional.empty(),
        "/_coreos.com/fleet/",
        Duration.ofMinutes(1),
        1 << 30,
        Optional.empty());
  }

  private static void put(URI etcd, String key) throws IOException {
    var connection = (HttpURLConnection) etcd.resolve(key).toURL().openConnection();
    connection.setRequestMethod("PUT");
    connection.setDoOutput(true);
    connection.getOutputStream().write("value=launched".getBytes(StandardCharsets.US_ASCII));
    assertThat(connection.getResponseCode()).isEqualTo(HttpURLConnection.HTTP_CREATED);
  }

  @Test
  void theUnitsOfAFormerClusterAreCounted() throws Exception {
    try (EtcdServer etcd = EtcdServer.start(directory, "--enable-v2=true")) {
      assertThat(FormerClusterNotice.of(at(etcd.client()))).as("none is there").isEmpty();

      put(etcd.client(), JOBS + "web.service/target-state");
      put(etcd.client(), JOBS + "web.service/object");
      put(etcd.client(), JOBS + "db.service/object");
      put(etcd.client(), "/v2/keys/_coreos.com/fleet/unit/abc");

      URI away = URI.create("http://127.0.0.1:1");
      assertThat(FormerClusterNotice.of(at(away, etcd.client())).orElseThrow())
          .startsWith("etcd has 2 units of a fleet 1.0 cluster below /_coreos.com/fleet/, which");
    }
  }

  @Test
  void nothingIsSaidOfAnEtcdWithoutThatStoreOrThatIsAway() throws Exception {
    try (EtcdServer etcd = EtcdServer.start(directory, "--enable-v2=false")) {
      assertThat(FormerClusterNotice.of(at(etcd.client()))).isEmpty();
    }
    assertThat(FormerClusterNotice.of(at(URI.create("http://127.0.0.1:1")))).isEmpty();
  }
}
