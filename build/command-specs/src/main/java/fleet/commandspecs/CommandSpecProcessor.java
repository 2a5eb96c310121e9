package fleet.commandspecs;

import java.io.IOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.annotation.processing.AbstractProcessor;
import javax.annotation.processing.RoundEnvironment;
import javax.annotation.processing.SupportedAnnotationTypes;
import javax.lang.model.SourceVersion;
import javax.lang.model.element.Element;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.NestingKind;
import javax.lang.model.element.TypeElement;
import javax.tools.Diagnostic;

/**
 * Writes a class {@code CommandSpecs} beside the classes that have {@code @Command}: it makes the
 * same picocli {@code CommandSpec} of a command as picocli does by reflection.
 */
@SupportedAnnotationTypes("picocli.CommandLine.Command")
public final class CommandSpecProcessor extends AbstractProcessor {

  private static final String NAME = "CommandSpecs";

  @Override
  public SourceVersion getSupportedSourceVersion() {
    return SourceVersion.latest();
  }

  @Override
  public boolean process(Set<? extends TypeElement> annotations, RoundEnvironment round) {
    List<TypeElement> commands = new ArrayList<>();
    for (TypeElement annotation : annotations) {
      for (Element element : round.getElementsAnnotatedWith(annotation)) {
        if (element instanceof TypeElement type && isCommand(type)) {
          commands.add(type);
        }
      }
    }
    if (!commands.isEmpty()) {
      write(commands);
    }
    return false;
  }

  private static boolean isCommand(TypeElement type) {
    return type.getNestingKind() == NestingKind.TOP_LEVEL
        && !type.getModifiers().contains(Modifier.ABSTRACT);
  }

  private void write(List<TypeElement> commands) {
    String inPackage =
        processingEnv.getElementUtils().getPackageOf(commands.getFirst()).getQualifiedName() + "";
    try (Writer file =
        processingEnv
            .getFiler()
            .createSourceFile(inPackage + "." + NAME, commands.toArray(Element[]::new))
            .openWriter()) {
      file.write(new SpecsSource(inPackage, NAME).of(commands));
    } catch (IOException | UnsupportedAttributeException e) {
      processingEnv.getMessager().printMessage(Diagnostic.Kind.ERROR, String.valueOf(e));
    }
  }
}
