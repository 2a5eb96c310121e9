/** The commands that the caller may use. The server decides; this only keeps pages from offering more. */

/** The least role of each command, as openapi.yaml has it in x-role. */
const NEEDED = {
  start: 'operator',
  stop: 'operator',
  restart: 'operator',
  rollout: 'operator',
  destroy: 'operator',
  machines: 'admin',
  drain: 'admin',
  rebalance: 'admin',
};

/** @param who the answer of `GET /whoami`; {} if it is not known */
export function accessOf({ name = '', role = '', actions = [] }) {
  return {
    name,
    role,
    /** The reason why a command is not offered; empty if it is. */
    refusal(action) {
      if (!name || actions.includes(action)) return '';
      return `This takes the role ${NEEDED[action]}; ${role ? `you have the role ${role}` : 'you have none'}.`;
    },
  };
}
