package fleet.api;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import fleet.entities.Entity;
import fleet.entities.EntityJson;
import fleet.entities.MetadataPatchEntity;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The OpenAPI document and the server say the same: paths, methods, roles, statuses, fields. {@link
 * RawConnection} holds every answer of this module's tests against it as well.
 */
class OpenApiTest {

  private final ApiUnderTest api = new ApiUnderTest();
  private final Routes routes =
      new Routes(
          new ApiSettings("2.0.0", 100, List.of(), Optional.empty()),
          new EntityJson(),
          new MetricsResource(new MetricStore(), Optional::empty),
          new HealthResource(Optional::empty));

  @AfterEach
  void close() throws IOException {
    api.close();
  }

  @Test
  void itIsServed() throws IOException {
    Reply reply = api.get("/fleet/v1/openapi.yaml");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("content-type")).isEqualTo("application/yaml");
    assertThat(reply.body()).isEqualTo(OpenApiDocument.text());
  }

  static Stream<OpenApiDocument.Operation> operations() {
    return OpenApiDocument.SERVED.operations();
  }

  @ParameterizedTest
  @MethodSource("operations")
  void eachOperationIsThereWithItsRole(OpenApiDocument.Operation operation) throws IOException {
    String path = "/fleet/v1" + operation.examplePath();
    try (RawConnection wire = api.connect()) {
      wire.ask(operation.method(), path, "");
      assertThat(wire.head().status()).isNotEqualTo(405);
    }
    Route route = routes.of(operation.method(), path);
    assertThat(route.name()).doesNotStartWith("unknown.");
    assertThat(route.action().role().name()).isEqualTo(operation.role().toUpperCase(Locale.ROOT));
  }

  @ParameterizedTest
  @MethodSource("operations")
  void otherMethodsOfAPathAreRefused(OpenApiDocument.Operation operation) throws IOException {
    for (String method : List.of("GET", "PUT", "POST", "PATCH", "DELETE")) {
      if (OpenApiDocument.SERVED.operation(method, operation.examplePath()).isEmpty()) {
        Reply reply = api.request(method, "/fleet/v1" + operation.examplePath(), "");
        assertThat(reply.error())
            .as(method + " " + operation.path())
            .containsPattern("^4\\d\\d only .*(GET|PUT|POST|PATCH|DELETE).* supported against");
      }
    }
  }

  @Test
  void everyRouteStandsInIt() {
    for (String[] words : AccessTest.everyRoute().toList()) {
      assertThat(OpenApiDocument.SERVED.operation(words[0], "/" + words[1]))
          .as(words[0] + " " + words[1])
          .isPresent();
    }
  }

  @Test
  void everyFieldStandsInIt() {
    Set<Class<?>> entities = new HashSet<>();
    Arrays.stream(Entity.class.getPermittedSubclasses())
        .filter(entity -> entity != MetadataPatchEntity.class)
        .forEach(entity -> gather(entity, entities));
    assertThat(entities).hasSizeGreaterThan(50);
    for (Class<?> entity : entities) {
      assertThat(OpenApiDocument.SERVED.fieldsOf(entity.getSimpleName().replace("Entity", "")))
          .as(entity.getSimpleName())
          .isEqualTo(
              Arrays.stream(entity.getRecordComponents())
                  .map(RecordComponent::getName)
                  .collect(toSet()));
    }
  }

  /** An entity with those that it consists of. */
  private static void gather(Type type, Set<Class<?>> into) {
    if (type instanceof ParameterizedType list) {
      Arrays.stream(list.getActualTypeArguments()).forEach(part -> gather(part, into));
    } else if (type instanceof Class<?> record && record.isRecord() && into.add(record)) {
      Arrays.stream(record.getRecordComponents())
          .forEach(part -> gather(part.getGenericType(), into));
    }
  }
}
