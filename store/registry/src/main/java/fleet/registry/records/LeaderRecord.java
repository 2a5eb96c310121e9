package fleet.registry.records;

import fleet.registry.Entry;

/**
 * The value of {@code leader}, there as long as the leader's lease lives. The revision that created
 * the key is the leader's token.
 *
 * @param machine id of the machine whose engine leads
 * @param bootId of that machine
 * @param address {@code host:port} where others hold a connection to the leader; empty if it does
 *     not listen
 * @param version of the leading fleetd
 * @param engineVersion of the engine: an older engine does not lead if a newer one has led
 * @param rpc whether machines speak to the leader at that address, and other servers ask it there
 */
public record LeaderRecord(
    String machine,
    String bootId,
    String address,
    String version,
    long engineVersion,
    boolean rpc,
    UnknownFields unknown) {

  public LeaderRecord(
      String machine,
      String bootId,
      String address,
      String version,
      long engineVersion,
      boolean rpc) {
    this(machine, bootId, address, version, engineVersion, rpc, UnknownFields.NONE);
  }

  public static LeaderRecord of(Entry entry) {
    FieldReader fields = FieldReader.of(entry);
    return new LeaderRecord(
        fields.text("machine"),
        fields.text("bootId"),
        fields.text("address"),
        fields.text("version"),
        fields.number("engineVersion"),
        fields.isTrue("rpc"),
        fields.rest());
  }

  public String json() {
    return new FieldWriter()
        .put("machine", machine)
        .put("bootId", bootId)
        .put("address", address)
        .put("version", version)
        .put("engineVersion", engineVersion)
        .put("rpc", rpc)
        .render(unknown);
  }
}
