package fleet.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaPackage;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** The habits of every class, as CONTRIBUTING.md says. */
class HabitsTest {

  private static final Pattern SAYS_NOTHING =
      Pattern.compile(".*(Util|Helper|Manager|Impl|Utils|Helpers)");

  /** "Manager" is what systemd calls its own main object on D-Bus. */
  private static final Set<String> TERMS_OF_SYSTEMD = Set.of("Manager", "PrivateManager");

  private static final Set<String> GENERATED = Set.of("fleet.entities.jsonb", "fleet.rpc.v1");

  /** The simulation runs these, and repeats a run exactly in any JVM. */
  private static final Set<String> SIMULATED =
      Set.of(
          "core",
          "scheduler",
          "registry",
          "cluster",
          "coordination",
          "coordination-store",
          "coordination-rpc",
          "engine",
          "agent",
          "systemd-simulated",
          "simulation");

  /** They iterate in an order that each JVM draws by lot. */
  private static final Pattern ORDERED_BY_LOT =
      Pattern.compile(
          "java\\.util\\.(Set|Map)\\.copyOf\\(.*"
              + "|java\\.util\\.stream\\.Collectors\\.toUnmodifiable(Set|Map)\\(.*");

  @Test
  void aNameSaysWhatAClassIs() {
    assertThat(
            Shipped.classes().stream()
                .filter(type -> SAYS_NOTHING.matcher(type.getSimpleName()).matches())
                .filter(type -> !TERMS_OF_SYSTEMD.contains(type.getSimpleName()))
                .map(JavaClass::getName))
        .isEmpty();
  }

  /** NullAway passes over packages that are not marked. */
  @Test
  void everyPackageIsCheckedForNulls() {
    assertThat(
            Shipped.classes().stream()
                .map(JavaClass::getPackage)
                .distinct()
                .filter(known -> !known.isAnnotatedWith(NullMarked.class))
                .map(JavaPackage::getName)
                .filter(name -> !GENERATED.contains(name)))
        .as("packages without a package-info.java that says @NullMarked")
        .isEmpty();
  }

  @Test
  void whatIsStaticIsFinal() {
    assertThat(
            Shipped.classes().stream()
                .filter(type -> !GENERATED.contains(type.getPackageName()))
                .flatMap(type -> type.getFields().stream())
                .filter(field -> field.getModifiers().contains(JavaModifier.STATIC))
                .filter(field -> !field.getModifiers().contains(JavaModifier.FINAL))
                .filter(field -> !field.getModifiers().contains(JavaModifier.SYNTHETIC))
                .map(JavaField::getFullName))
        .isEmpty();
  }

  @Test
  void nothingThatIsSimulatedIteratesInAnOrderOfTheJvm() {
    assertThat(
            Shipped.classes().stream()
                .filter(HabitsTest::isSimulated)
                .flatMap(type -> type.getAccessesFromSelf().stream())
                .filter(
                    access -> ORDERED_BY_LOT.matcher(access.getTarget().getFullName()).matches())
                .map(JavaAccess::getDescription))
        .as("fleet.core.collection.OrderedCopy keeps the order")
        .isEmpty();
  }

  private static boolean isSimulated(JavaClass type) {
    return SIMULATED.stream().anyMatch(module -> Shipped.comesFrom(type, module));
  }
}
