package fleet.registry.embedded;

/**
 * The one row that sums up the store.
 *
 * @param entries the number of keys
 * @param sum of the checksums of all rows: tells that one has vanished or come back
 */
record StoreState(String id, long revision, long entries, long sum) {

  StoreState at(long other) {
    return new StoreState(id, other, entries, sum);
  }

  StoreState plus(long checksum) {
    return new StoreState(id, revision, entries + 1, sum + checksum);
  }

  StoreState minus(long checksum) {
    return new StoreState(id, revision, entries - 1, sum - checksum);
  }

  long checksum() {
    return Checksum.ofText(id + " " + revision + " " + entries + " " + sum);
  }
}
