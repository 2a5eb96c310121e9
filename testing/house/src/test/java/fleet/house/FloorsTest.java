package fleet.house;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The imports that each floor may have, as ARCHITECTURE.md says. */
class FloorsTest {

  @ParameterizedTest
  @EnumSource(Floor.class)
  void aFloorStandsOnlyOnThoseBelowIt(Floor floor) {
    List<JavaClass> classes =
        Shipped.classes().stream().filter(type -> floor.has(type.getPackageName())).toList();
    assertThat(classes).as("classes of " + floor.module()).isNotEmpty();
    assertThat(
            classes.stream()
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .filter(dependency -> !floor.mayKnow(packageOfTarget(dependency)))
                .map(Dependency::getDescription))
        .as("what %s must not know", floor.module())
        .isEmpty();
  }

  private static String packageOfTarget(Dependency dependency) {
    JavaClass target = dependency.getTargetClass().getBaseComponentType();
    // Primitive types have no package.
    return target.isPrimitive() ? "java.lang" : target.getPackageName();
  }

  @Test
  void aClassLivesInTheModuleOfItsFloor() {
    assertThat(
            Shipped.classes().stream()
                .filter(type ->
                    Floor.of(type)
                        .filter(floor -> Shipped.comesFrom(type, floor.module()))
                        .isEmpty())
                .map(JavaClass::getName))
        .isEmpty();
  }

  @Test
  void everyModuleIsAFloorOrKnownNotToBe() throws Exception {
    List<String> floors = Arrays.stream(Floor.values()).map(Floor::module).toList();
    assertThat(Checkout.modules())
        .map(folder -> folder.substring(folder.indexOf('/') + 1))
        .allMatch(module -> floors.contains(module) || Floor.OTHER_MODULES.contains(module))
        .containsAll(floors);
  }

  @Test
  void noPackagesKnowEachOtherInCircles() {
    slices().matching("fleet.(**)").should().beFreeOfCycles().check(Shipped.classes());
  }
}
