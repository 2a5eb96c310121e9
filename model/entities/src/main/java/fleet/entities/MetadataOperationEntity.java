package fleet.entities;

/**
 * One change of the metadata of one machine; absent parts are empty.
 *
 * @param op {@code add}, {@code remove} or {@code replace}
 * @param path {@code /<machine>/metadata/<key>}
 */
public record MetadataOperationEntity(String op, String path, String value) {}
