package fleet.registry.records;

import fleet.core.offer.Offer;
import fleet.core.unit.UnitFile;
import fleet.core.unit.UnitFileSyntaxException;
import fleet.registry.Entry;
import fleet.registry.RegistryException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The value of {@code offer/<unit>}: the leader's, for machines that it does not speak to itself.
 *
 * @param machines ids of those that may bid
 */
public record OfferRecord(Offer offer, Set<String> machines, UnknownFields unknown) {

  public OfferRecord(Offer offer, Set<String> machines) {
    this(offer, machines, UnknownFields.NONE);
  }

  public static OfferRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    try {
      var offer =
          new Offer(
              Keys.unitOf(entry.key()),
              fields.text("id"),
              UnitFile.parse(fields.text("file")),
              fields.texts("require"));
      return new OfferRecord(offer, new TreeSet<>(fields.texts("machines")), fields.rest());
    } catch (UnitFileSyntaxException e) {
      throw new RegistryException(
          "value of key %s in the registry: field file: %s".formatted(entry.key(), e.getMessage()),
          e);
    }
  }

  public String json() {
    return new FieldWriter()
        .put("id", offer.id())
        .put("file", offer.file().render())
        .put("require", offer.require())
        .put("machines", List.copyOf(machines))
        .render(unknown);
  }
}
