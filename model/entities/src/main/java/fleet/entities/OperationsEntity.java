package fleet.entities;

import io.avaje.jsonb.Json;
import java.util.List;

/**
 * Operations.
 *
 * @param operations sorted by id, without their steps
 */
@Json
public record OperationsEntity(List<OperationEntity> operations) implements Entity {

  public OperationsEntity {
    operations = Empty.ifAbsent(operations);
  }
}
