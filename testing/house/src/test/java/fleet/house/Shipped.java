package fleet.house;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** The project's classes without those of tests, read once for all tests that look at them. */
final class Shipped {

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("-tests.jar"))
          .withImportOption(location -> !location.contains("/jmh_generated/"))
          .importPackages("fleet");

  private Shipped() {}

  static JavaClasses classes() {
    return CLASSES;
  }

  /** Whether the class was compiled in a module, be it in its jar or its folder of classes. */
  static boolean comesFrom(JavaClass type, String module) {
    return type.getSource()
        .filter(source -> source.getUri().toString().contains("/" + module + "/target/"))
        .isPresent();
  }
}
