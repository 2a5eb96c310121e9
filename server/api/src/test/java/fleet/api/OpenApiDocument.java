package fleet.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The OpenAPI document that fleetd serves; answers of the tests are held against it. */
final class OpenApiDocument {

  static final OpenApiDocument SERVED = new OpenApiDocument();

  private static final Set<String> METHODS = Set.of("get", "put", "post", "patch", "delete");
  private static final List<String> PREFIXES = List.of("/fleet/v1", "/v1-alpha");

  private final JsonNode document = read();
  private final SchemaRegistry registry =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
  private final Map<String, Schema> schemas = new ConcurrentHashMap<>();

  private static JsonNode read() {
    return new YAMLMapper().readTree(text());
  }

  /** A method of a path, with what it answers. */
  record Operation(String method, String path, JsonNode node) {

    /** The path with something in the place of each parameter. */
    String examplePath() {
      return path.replace("{operation}", "rollout-web.service")
          .replaceAll("\\{\\w+}", "web.service");
    }

    String role() {
      return node.path("x-role").asString("viewer");
    }
  }

  Stream<Operation> operations() {
    return document.path("paths").properties().stream()
        .flatMap(path ->
            path.getValue().properties().stream()
                .filter(member -> METHODS.contains(member.getKey()))
                .map(member ->
                    new Operation(
                        member.getKey().toUpperCase(Locale.ROOT),
                        path.getKey(),
                        member.getValue())));
  }

  /** The operation that a request without a prefix is for; a path without parameters goes first. */
  Optional<Operation> operation(String method, String path) {
    return operations()
        .filter(operation -> operation.method().equals(method))
        .filter(operation -> isMatched(operation.path(), path))
        .min(Comparator.comparing(operation -> operation.path().contains("{")));
  }

  private static boolean isMatched(String template, String path) {
    String[] expected = template.split("/", -1);
    String[] given = path.split("/", -1);
    return Arrays.equals(
        expected,
        given,
        (wanted, there) ->
            wanted.startsWith("{") && !there.isEmpty() ? 0 : wanted.compareTo(there));
  }

  Set<String> fieldsOf(String schema) {
    return document.at("/components/schemas/" + schema + "/properties").properties().stream()
        .map(Map.Entry::getKey)
        .collect(toSet());
  }

  /** Fails if the document does not allow an answer. */
  void check(String method, String target, Reply reply) {
    String path = target.split("\\?", 2)[0];
    PREFIXES.stream()
        .filter(prefix -> path.startsWith(prefix + "/"))
        .flatMap(prefix -> operation(method, path.substring(prefix.length())).stream())
        .findFirst()
        .ifPresent(operation -> check(operation, reply));
  }

  private void check(Operation operation, Reply reply) {
    String status = Integer.toString(reply.status());
    JsonNode responses = operation.node().path("responses");
    String as = operation.method() + " " + operation.path() + " answered " + status;
    if (reply.status() < 400) {
      assertThat(responses.has(status)).as(as).isTrue();
    }
    JsonNode response = resolved(responses.path(responses.has(status) ? status : "default"));
    response
        .path("content")
        .properties()
        .forEach(content -> {
          assertThat(reply.header("content-type")).as(as).startsWith(content.getKey());
          parts(content.getValue(), reply)
              .forEach(part -> assertThat(errors(part)).as(as + " " + part.json()).isEmpty());
        });
  }

  private record Part(String schema, String json) {}

  private Stream<Part> parts(JsonNode content, Reply reply) {
    if (content.has("x-item")) {
      String name = nameOf(content.path("x-item"));
      return reply
          .body()
          .lines()
          .map(line -> line.startsWith("data: ") ? line.substring("data: ".length()) : line)
          .filter(line -> line.startsWith("{"))
          .map(line -> new Part(name, line));
    }
    JsonNode schema = content.path("schema");
    return schema.has("$ref") ? Stream.of(new Part(nameOf(schema), reply.body())) : Stream.empty();
  }

  private List<Error> errors(Part part) {
    return schemas
        .computeIfAbsent(part.schema(), this::schema)
        .validate(part.json(), InputFormat.JSON);
  }

  private static String nameOf(JsonNode reference) {
    String text = reference.path("$ref").asString();
    return text.substring(text.lastIndexOf('/') + 1);
  }

  private JsonNode resolved(JsonNode node) {
    return node.has("$ref") ? document.at(node.path("$ref").asString().substring(1)) : node;
  }

  /**
   * Clients have to bear fields that they do not know; fleetd has to send none that are not told.
   */
  private Schema schema(String name) {
    ObjectNode root = new YAMLMapper().createObjectNode();
    root.put("$ref", "#/components/schemas/" + name);
    root.set("components", document.path("components").deepCopy());
    root.at("/components/schemas").forEach(OpenApiDocument::close);
    return registry.getSchema(root);
  }

  private static void close(JsonNode schema) {
    if (schema instanceof ObjectNode fields && fields.has("properties")) {
      fields.put("additionalProperties", false);
    }
  }

  /** Its text as it is served. */
  static String text() {
    try (InputStream in =
        Objects.requireNonNull(
            OpenApiDocument.class.getResourceAsStream(DiscoveryResource.OPEN_API))) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
