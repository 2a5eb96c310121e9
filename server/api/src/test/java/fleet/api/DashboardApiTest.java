package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages of the dashboard, as every fleetd serves them itself. */
@ParameterizedClass
@EnumSource(ApiUnderTest.Asked.class)
class DashboardApiTest {

  private static final String SCRIPT = "/dashboard/main.js";

  private final ApiUnderTest api;

  DashboardApiTest(ApiUnderTest.Asked asked) {
    api = new ApiUnderTest(asked);
  }

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  @Test
  void thePageIsThereAndLoadsNothingFromElsewhere() throws IOException {
    Reply page = api.get("/");
    assertThat(page.status()).isEqualTo(200);
    assertThat(page.header("content-type")).isEqualTo("text/html; charset=utf-8");
    assertThat(page.body()).startsWith("<!doctype html>").contains(SCRIPT);
    assertThat(page.header("content-security-policy"))
        .isEqualTo(
            ("default-src 'none'; script-src 'self' 'sha256-%s'; style-src 'self'; connect-src"
                    + " 'self'; img-src 'self'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'")
                .formatted(hashOfItsScript(page.body())));
    assertThat(api.get(SCRIPT).header("content-security-policy")).contains("script-src 'self';");
    assertThat(page.header("x-content-type-options")).isEqualTo("nosniff");
    assertThat(page.header("referrer-policy")).isEqualTo("no-referrer");
    assertThat(page.header("cache-control")).isEqualTo("no-cache");
  }

  private static String hashOfItsScript(String page) throws IOException {
    String script = page.split("<script>", 2)[1].split("</script>", 2)[0];
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(script.getBytes(UTF_8));
      return Base64.getEncoder().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IOException(e);
    }
  }

  @Test
  void aBrowserKeepsWhatIsTheSame() throws IOException {
    Reply first = api.get(SCRIPT);
    String tag = first.header("etag");
    assertThat(tag).matches("\"[0-9a-f]{32}\"");
    assertThat(first.header("content-type")).isEqualTo("text/javascript; charset=utf-8");
    for (String known : new String[] {tag, "\"other\", W/" + tag, "*"}) {
      Reply again = api.request("GET", SCRIPT, "", "If-None-Match: " + known);
      assertThat(again.status()).as(known).isEqualTo(304);
      assertThat(again.header("etag")).isEqualTo(tag);
    }
    Reply other = api.request("GET", SCRIPT, "", "If-None-Match: " + api.get("/").header("etag"));
    assertThat(other.status()).isEqualTo(200);
    assertThat(other.body()).isEqualTo(first.body());
  }

  @Test
  void filesAreCompressedForWhoeverTakesThat() throws IOException {
    Reply plain = api.request("HEAD", SCRIPT, "", "Accept-Encoding: br, gzip;q=0");
    Reply compressed = api.request("HEAD", SCRIPT, "", "Accept-Encoding: br, gzip");
    assertThat(plain.header("content-encoding")).isEmpty();
    assertThat(compressed.header("content-encoding")).isEqualTo("gzip");
    assertThat(compressed.header("vary")).isEqualTo("Accept-Encoding");
    assertThat(Integer.parseInt(compressed.header("content-length")))
        .isPositive()
        .isLessThan(Integer.parseInt(plain.header("content-length")));
  }

  @Test
  void headHasNoBody() throws IOException {
    try (RawConnection wire = api.connect()) {
      Reply head = wire.request("HEAD", "/", "");
      assertThat(head.status()).isEqualTo(200);
      Reply whole = wire.get("/");
      assertThat(head.header("content-length")).isEqualTo(whole.header("content-length"));
      assertThat(head.header("etag")).isEqualTo(whole.header("etag"));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/dashboard/",
        "/dashboard/nothing.js",
        "/dashboard/../dashboard/main.js",
        "/dashboard/%2e%2e/DashboardFiles.class",
        "/dashboard/main.js.gz",
        "/dashboard",
        "/index.html"
      })
  void otherFilesAreNotThere(String path) throws IOException {
    assertThat(api.get(path).error()).isEqualTo("404 ");
  }

  @Test
  void nothingCanBeChanged() throws IOException {
    for (String path : new String[] {"/", SCRIPT}) {
      Reply refused = api.request("POST", path, "x");
      assertThat(refused.error())
          .isEqualTo("405 only GET and HEAD supported against this resource");
      assertThat(refused.header("allow")).isEqualTo("GET, HEAD");
    }
  }
}
