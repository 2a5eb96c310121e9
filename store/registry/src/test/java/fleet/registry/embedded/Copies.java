package fleet.registry.embedded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The files of a registry as they are at one moment: what a killed process leaves. The index of the
 * log is left out, as every start makes another.
 */
record Copies(Map<String, byte[]> files) {

  static Copies of(Path directory) {
    Map<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> paths = Files.list(directory)) {
      for (Path path : paths.filter(file -> !file.toString().endsWith("-shm")).toList()) {
        files.put(path.getFileName().toString(), Files.readAllBytes(path));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Copies(files);
  }

  byte[] database() {
    return get(RegistryFiles.DATABASE);
  }

  byte[] log() {
    return get(RegistryFiles.LOG);
  }

  byte[] get(String name) {
    byte[] bytes = files.get(name);
    if (bytes == null) {
      throw new IllegalArgumentException(name);
    }
    return bytes;
  }

  Copies with(String name, byte[] bytes) {
    Map<String, byte[]> others = new TreeMap<>(files);
    others.put(name, bytes);
    return new Copies(others);
  }

  Copies without(String name) {
    Map<String, byte[]> others = new TreeMap<>(files);
    others.remove(name);
    return new Copies(others);
  }

  Copies flipped(String name, int offset, int bits) {
    byte[] bytes = get(name).clone();
    bytes[offset] ^= (byte) bits;
    return with(name, bytes);
  }

  /** Makes a directory with these files. */
  Path in(Path directory) {
    try {
      Files.createDirectories(directory);
      for (var file : files.entrySet()) {
        Files.write(directory.resolve(file.getKey()), file.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return directory;
  }
}
