package fleet.registry.embedded;

/** What the database says of a key besides its value. */
record Row(long created, long modified, long checksum) {}
