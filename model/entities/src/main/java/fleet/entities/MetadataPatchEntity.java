package fleet.entities;

import java.util.List;

/** Changes of the metadata of machines, in JSON a bare array. */
public record MetadataPatchEntity(List<MetadataOperationEntity> operations) implements Entity {}
