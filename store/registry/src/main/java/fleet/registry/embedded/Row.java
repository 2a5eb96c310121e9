package fleet.registry.embedded;

/** A key's row of the database, without the value. */
record Row(long created, long modified, long checksum) {}
