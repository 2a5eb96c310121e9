package fleet.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No I/O, clock, thread, network or chance where decisions are made. */
class PurityTest {

  /** Bytes in memory, and what a port hands out to those above who may wait: an answer's bytes. */
  private static final Set<String> TYPES_WITHOUT_EFFECTS =
      Set.of(
          "java.io.ByteArrayOutputStream",
          "java.io.IOException",
          "java.io.InputStream",
          "java.nio.ByteBuffer",
          "java.nio.CharBuffer");

  private static final Set<String> PACKAGES =
      Set.of(
          "java.lang",
          "java.lang.annotation",
          "java.lang.constant",
          "java.lang.invoke",
          "java.lang.runtime",
          "java.math",
          "java.nio.charset",
          "java.security",
          "java.time",
          "java.util",
          "java.util.function",
          "java.util.regex",
          "java.util.stream");

  private static final Set<String> TYPES_WITH_EFFECTS =
      Set.of(
          "java.lang.Process",
          "java.lang.ProcessBuilder",
          "java.lang.ProcessHandle",
          "java.lang.Runtime",
          "java.lang.Thread",
          "java.lang.ThreadLocal",
          "java.lang.ScopedValue",
          "java.security.SecureRandom",
          "java.time.Clock",
          "java.util.Scanner",
          "java.util.Timer");

  private static final Set<String> CALLS_WITH_EFFECTS =
      Set.of(
          "java.lang.Math.random",
          "java.lang.Object.notify",
          "java.lang.Object.notifyAll",
          "java.lang.Object.wait",
          "java.lang.System.currentTimeMillis",
          "java.lang.System.getenv",
          "java.lang.System.getProperty",
          "java.lang.System.nanoTime",
          "java.lang.System.out",
          "java.lang.System.err",
          "java.util.UUID.randomUUID");

  @ParameterizedTest
  @EnumSource(names = {"CORE", "SCHEDULER"})
  void aPureFloorHasNoEffects(Floor floor) {
    List<JavaClass> classes =
        Shipped.classes().stream().filter(type -> floor.has(type.getPackageName())).toList();
    assertThat(classes).isNotEmpty();
    assertThat(classes.stream().flatMap(PurityTest::effects))
        .as("what %s must not use", floor.module())
        .isEmpty();
  }

  private static Stream<String> effects(JavaClass type) {
    Stream<String> types =
        type.getDirectDependenciesFromSelf().stream()
            .filter(PurityTest::hasEffects)
            .map(Dependency::getDescription);
    Stream<String> calls =
        type.getAccessesFromSelf().stream()
            .filter(PurityTest::hasEffects)
            .map(JavaAccess::getDescription);
    return Stream.concat(types, calls);
  }

  private static boolean hasEffects(Dependency dependency) {
    JavaClass target = dependency.getTargetClass().getBaseComponentType();
    String name = target.getName();
    if (!target.getPackageName().startsWith("java") || TYPES_WITHOUT_EFFECTS.contains(name)) {
      return false;
    }
    return !PACKAGES.contains(target.getPackageName()) || TYPES_WITH_EFFECTS.contains(name);
  }

  private static boolean hasEffects(JavaAccess<?> access) {
    String owner = access.getTargetOwner().getName();
    String name = access.getTarget().getName();
    boolean readsTheClock = owner.startsWith("java.time.") && name.equals("now");
    boolean drawsWithoutSeed =
        owner.equals("java.util.Random")
            && name.equals("<init>")
            && access.getTarget().getFullName().endsWith("()");
    return readsTheClock || drawsWithoutSeed || CALLS_WITH_EFFECTS.contains(owner + "." + name);
  }
}
