package fleet.cluster.rpc;

import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.rpc.message.MalformedMessageException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.Consumer;

/** Files that units name by number, so that each comes once however many units have it. */
final class UnitFiles {

  private UnitFiles() {}

  /** Numbers files as they are first named. */
  static final class Sent {
    private final IdentityHashMap<UnitFile, Integer> numbers = new IdentityHashMap<>();
    private final Consumer<String> out;
    private long size;

    /**
     * Numbers from 0.
     *
     * @param out takes the text of each new file
     */
    Sent(Consumer<String> out) {
      this.out = out;
    }

    int number(UnitFile file) {
      return numbers.computeIfAbsent(file, this::send);
    }

    private int send(UnitFile file) {
      String text = file.render();
      size += text.length();
      out.accept(text);
      return numbers.size();
    }

    /** About how many bytes the files have that were sent so far. */
    long size() {
      return size;
    }
  }

  /** Files by the numbers they came with. */
  static final class Received {
    private final List<UnitFile> files = new ArrayList<>();

    UnitFile add(String text) throws MalformedMessageException {
      try {
        UnitFile file = UnitFile.parse(text);
        files.add(file);
        return file;
      } catch (UnitFileSyntaxException e) {
        throw new MalformedMessageException("a unit's file is none: " + e.getMessage());
      }
    }

    UnitFile get(int number) throws MalformedMessageException {
      if (number < 0 || number >= files.size()) {
        throw new MalformedMessageException("a unit's file did not come with it");
      }
      return files.get(number);
    }
  }
}
