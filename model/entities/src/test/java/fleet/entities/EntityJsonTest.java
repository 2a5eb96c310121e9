package fleet.entities;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EntityJsonTest {

  private final EntityJson json = new EntityJson();

  private String written(Entity entity) {
    return new String(json.write(entity), UTF_8);
  }

  private <T extends Entity> T read(Class<T> type, String text) throws InvalidJsonException {
    return json.read(type, text.getBytes(UTF_8));
  }

  private static UnitEntity unit(String name, List<UnitOptionEntity> options) {
    return new UnitEntity(
        "loaded",
        "launched",
        "m1",
        name,
        options,
        "",
        null,
        "",
        null,
        null,
        "",
        "",
        List.of(),
        "",
        List.of(),
        "",
        "");
  }

  @Test
  void writesFieldsInTheReferencesOrderAndLeavesOutWhatIsEmpty() {
    UnitEntity unit =
        unit(
            "web.service",
            List.of(
                new UnitOptionEntity("ExecStart", "Service", ""),
                new UnitOptionEntity("ExecStart", "Service", "/bin/true")));
    assertThat(written(new UnitPageEntity("", List.of(unit))))
        .isEqualTo(
            "{\"units\":[{\"currentState\":\"loaded\",\"desiredState\":\"launched\","
                + "\"machineID\":\"m1\",\"name\":\"web.service\",\"options\":["
                + "{\"name\":\"ExecStart\",\"section\":\"Service\"},"
                + "{\"name\":\"ExecStart\",\"section\":\"Service\",\"value\":\"/bin/true\"}]}]}");
  }

  @Test
  void anEmptyPageIsAnEmptyObject() {
    assertThat(written(new UnitPageEntity("", List.of()))).isEqualTo("{}");
    assertThat(written(new StatePageEntity("", List.of(), List.of()))).isEqualTo("{}");
    assertThat(written(new MachinePageEntity(List.of(), ""))).isEqualTo("{}");
  }

  @Test
  void writesFleetsOwnFieldsAfterThoseOfTheReference() {
    StateEntity state =
        new StateEntity(
            "h",
            "m",
            "n",
            "active",
            "loaded",
            "running",
            "i1",
            "inv",
            "launched",
            "",
            2L,
            0L,
            "success",
            "2026-01-01T00:00:00Z",
            null,
            null);
    assertThat(written(state))
        .isEqualTo(
            "{\"hash\":\"h\",\"machineID\":\"m\",\"name\":\"n\",\"systemdActiveState\":\"active\","
                + "\"systemdLoadState\":\"loaded\",\"systemdSubState\":\"running\","
                + "\"incarnation\":\"i1\",\"invocationID\":\"inv\",\"performed\":\"launched\","
                + "\"restartCounter\":2,\"restarts\":0,\"result\":\"success\","
                + "\"since\":\"2026-01-01T00:00:00Z\"}");
  }

  @Test
  void anEventLeavesOutWhatIsEmptyAtAnyDepth() throws InvalidJsonException {
    EventEntity bare = EventEntity.of("gap", 7, "2026-01-01T00:00:00Z");
    String gap = "{\"name\":\"gap\",\"revision\":7,\"time\":\"2026-01-01T00:00:00Z\"";
    assertThat(written(bare)).isEqualTo(gap + "}");
    assertThat(read(EventEntity.class, gap + ",\"context\":null,\"cause\":{}}")).isEqualTo(bare);
    assertThat(
            written(
                bare.with(UnitEntity.of("a.service", "", List.of()))
                    .with(new MachineEntity("m", Map.of("k", ""), ""))
                    .about(new ContextEntity("", "m", ""), new CauseEntity("", "why"))))
        .isEqualTo(
            gap
                + ",\"unit\":{\"name\":\"a.service\"},\"machine\":{\"id\":\"m\",\"metadata\":{\"k\":\"\"}},"
                + "\"context\":{\"machine\":\"m\"},\"cause\":{\"why\":\"why\"}}");
    assertThat(
            written(
                new GrantEntity(
                    "alice", "viewer", List.of("", "a*"), Map.of(), "", null, List.of())))
        .isEqualTo("{\"subject\":\"alice\",\"role\":\"viewer\",\"units\":[\"\",\"a*\"]}");
  }

  @Test
  void machinesHaveTheirMetadataSorted() {
    MachineEntity machine =
        new MachineEntity("m1", Map.of("zone", "a", "disk", "ssd", "region", "eu"), "10.0.0.1");
    assertThat(written(new MachinePageEntity(List.of(machine), "t==")))
        .isEqualTo(
            "{\"machines\":[{\"id\":\"m1\",\"metadata\":{\"disk\":\"ssd\",\"region\":\"eu\","
                + "\"zone\":\"a\"},\"primaryIP\":\"10.0.0.1\"}],\"nextPageToken\":\"t==\"}");
  }

  @Test
  void whatAMachineHasComesAfterWhatFleet1Shows() {
    MachineEntity machine =
        new MachineEntity(
            "m1",
            Map.of(),
            "10.0.0.1",
            new ResourcesEntity(3500L, null, 7L, 9L),
            true,
            null,
            null,
            new ResourcesEntity(4000L, 1L << 40, 8L, 10L),
            "node1",
            "x86_64",
            "2.0.0",
            "server",
            true,
            "draining",
            3,
            "",
            null);
    assertThat(written(machine))
        .isEqualTo(
            "{\"id\":\"m1\",\"primaryIP\":\"10.0.0.1\",\"capacity\":{\"cpuMillis\":3500,"
                + "\"memory\":7,\"tasks\":9},\"cordoned\":true,\"total\":{\"cpuMillis\":4000,"
                + "\"disk\":1099511627776,\"memory\":8,\"tasks\":10},"
                + "\"hostname\":\"node1\",\"architecture\":\"x86_64\",\"version\":\"2.0.0\",\"role\":\"server\","
                + "\"leader\":true,\"state\":\"draining\",\"units\":3}");
  }

  @Test
  void anErrorKeepsItsEmptyMessage() throws InvalidJsonException {
    assertThat(written(new ErrorEntity(ErrorBodyEntity.of(500, ""))))
        .isEqualTo("{\"error\":{\"code\":500,\"message\":\"\"}}");
    assertThat(read(ErrorEntity.class, "{\"error\":{\"code\":404}}").error().message()).isEmpty();
  }

  @Test
  void escapesMarkupAndUnicodeLineEnds() {
    assertThat(
            written(
                unit("a<b>&\u2028\u2029\u201c\u00e2\u20ac\ud83d\ude80/\"\\\n\t\u0001", List.of())))
        .contains(
            "\"a\\u003cb\\u003e\\u0026\\u2028\\u2029\u201c\u00e2\u20ac\ud83d\ude80/\\\"\\\\\\n\\t\\u0001\"");
  }

  @Test
  void ignoresFieldsThatItDoesNotKnow() throws InvalidJsonException {
    UnitEntity unit =
        read(
            UnitEntity.class,
            "{\"new\":{\"a\":[1,{}]},\"name\":\"a.service\",\"options\":[{\"x\":[1],\"name\":\"N\","
                + "\"value\":null,\"section\":\"S\"}],\"desiredState\":\"loaded\"}");
    assertThat(unit.name()).isEqualTo("a.service");
    assertThat(unit.desiredState()).isEqualTo("loaded");
    assertThat(unit.options()).containsExactly(new UnitOptionEntity("N", "S", ""));
  }

  @Test
  void emptyAndAbsentAreOneThing() throws InvalidJsonException {
    assertThat(read(UnitEntity.class, "{\"name\":\"\",\"options\":[]}"))
        .isEqualTo(read(UnitEntity.class, "{}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "{",
        "[]",
        "7",
        "{\"name\":7}",
        "{\"options\":{}}",
        "{\"options\":[7]}",
        "{\"name\":\"a\"",
        "{\"name\":\"\\u00",
        "{\"name\" \"a\"}",
        "{\"options\":[{\"name\":[]}]}",
        "hello",
        "{\"restartCounter\":\"many\"}",
        "{\"options\":[null]}"
      })
  void whatIsNotAUnitIsRefusedInOneLine(String text) {
    assertThatThrownBy(() -> read(UnitEntity.class, text))
        .isInstanceOf(InvalidJsonException.class)
        .message()
        .isNotEmpty()
        .doesNotContain("\n");
  }

  @Test
  void metadataValuesAreReadAsTextAndAsObjectAndFieldNamesInAnyCase() throws InvalidJsonException {
    MetadataPatchEntity patch =
        read(
            MetadataPatchEntity.class,
            "[{\"op\":\"add\",\"path\":\"/m/metadata/k\",\"value\":\"v\"},"
                + "{\"OP\":\"replace\",\"Path\":\"/p\",\"more\":[[]],\"Value\":{\"x\":1,\"Value\":\"w\"}},"
                + "{\"op\":\"remove\",\"path\":\"/q\"},{\"value\":null}]");
    assertThat(patch.operations())
        .containsExactly(
            new MetadataOperationEntity("add", "/m/metadata/k", "v"),
            new MetadataOperationEntity("replace", "/p", "w"),
            new MetadataOperationEntity("remove", "/q", ""),
            new MetadataOperationEntity("", "", ""));
    assertThat(read(MetadataPatchEntity.class, written(patch))).isEqualTo(patch);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "[{\"op\":1}]", "[{\"value\":[]}]", "[7]", "[{]", "\"x\"", ""})
  void whatIsNotAPatchIsRefused(String text) {
    assertThatThrownBy(() -> read(MetadataPatchEntity.class, text))
        .isInstanceOf(InvalidJsonException.class);
  }

  @Test
  void nestingThatWouldExhaustTheStackIsRefused() {
    assertThatThrownBy(() -> read(UnitEntity.class, "{\"x\":" + "[".repeat(1_000_000)))
        .isInstanceOf(InvalidJsonException.class)
        .hasMessage("nested deeper than 64 levels");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void whatIsWrittenIsReadBack(long seed) throws InvalidJsonException {
    Random random = new Random(seed);
    for (int i = 0; i < 200; i++) {
      UnitEntity unit =
          new UnitEntity(
              text(random),
              text(random),
              text(random),
              text(random),
              List.of(
                  new UnitOptionEntity(text(random), text(random), text(random)),
                  new UnitOptionEntity(text(random), text(random), text(random))),
              text(random),
              random.nextBoolean(),
              text(random),
              null,
              random.nextLong(),
              text(random),
              "",
              List.of(),
              "",
              List.of(text(random)),
              "",
              "");
      assertThat(read(UnitEntity.class, written(unit))).isEqualTo(unit);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4})
  void stringsOfAnyLengthAreReadBack(long seed) throws InvalidJsonException {
    Random random = new Random(seed);
    StringBuilder value = new StringBuilder();
    while (value.length() < 500_000) {
      value.append(text(random));
    }
    UnitEntity unit =
        unit(
            "web.service",
            List.of(
                new UnitOptionEntity("Environment", "Service", value.toString()),
                new UnitOptionEntity("ExecStart", "Service", "/bin/true"),
                new UnitOptionEntity("Environment", "Service", "x".repeat(100_000))));
    UnitPageEntity page = new UnitPageEntity("next", List.of(unit, unit));
    assertThat(read(UnitPageEntity.class, written(page))).isEqualTo(page);
  }

  @Test
  void aLongStringMayBeWrittenInEscapes() throws InvalidJsonException {
    String json = "{\"name\":\"" + "\\ud83d\\ude80\\n".repeat(20_000) + "\"}";
    assertThat(read(UnitEntity.class, json).name()).isEqualTo("\ud83d\ude80\n".repeat(20_000));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\\", "\"", "\",", "\\u12\"}", "\\x\"}"})
  void aLongStringThatIsNotValidIsRefused(String end) {
    assertThatThrownBy(() -> read(UnitEntity.class, "{\"name\":\"" + "x".repeat(100_000) + end))
        .isInstanceOf(InvalidJsonException.class);
  }

  private static String text(Random random) {
    int[] special = {
      '<', '>', '&', 0x2028, 0x2029, 0x202a, 0xe2, 0x1f680, '"', '\\', '\n', 1, 0x7f
    };
    StringBuilder text = new StringBuilder();
    for (int length = random.nextInt(12); length > 0; length--) {
      text.appendCodePoint(
          random.nextBoolean()
              ? special[random.nextInt(special.length)]
              : 'a' + random.nextInt(26));
    }
    return text.toString();
  }
}
