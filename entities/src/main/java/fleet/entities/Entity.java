package fleet.entities;

/** What API v1 sends and takes: everything that {@link EntityJson} reads and writes. */
public sealed interface Entity
    permits ErrorEntity,
        DrainEntity,
        EventEntity,
        IntentEntity,
        MachineEntity,
        MachinePageEntity,
        MetadataPatchEntity,
        PlanEntity,
        RebalanceEntity,
        ReadmissionEntity,
        ReschedulingEntity,
        RolloutEntity,
        RolloutsEntity,
        SettingEntity,
        SettingsEntity,
        StateEntity,
        StatePageEntity,
        TokenEntity,
        TokenPageEntity,
        UnitEntity,
        UnitPageEntity,
        UnitPutResultEntity,
        UnitPutResultsEntity,
        UsageEntity,
        WhyEntity {}
