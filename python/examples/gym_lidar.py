"""A lidar as an observation of a Gymnasium environment that MuJoCo simulates."""

import ballotcast as bc
import ballotcast.mujoco
import gymnasium as gym
import mujoco
import numpy as np

ARENA = """<mujoco><option timestep="0.02"/><worldbody>
  <geom type="plane" size="5 5 1"/>
  <geom type="box" size="5 .1 .5" pos="0 5 .5"/><geom type="box" size="5 .1 .5" pos="0 -5 .5"/>
  <geom type="box" size=".1 5 .5" pos="5 0 .5"/><geom type="box" size=".1 5 .5" pos="-5 0 .5"/>
  <geom type="cylinder" size=".5 .5" pos="2 2 .5"/><geom type="box" size=".5 1 .5" pos="-2 -1 .5"/>
  <body name="car" pos="0 0 .2"><joint name="x" type="slide" axis="1 0 0" damping="1"/>
    <joint name="y" type="slide" axis="0 1 0" damping="1"/>
    <joint name="turn" axis="0 0 1" damping=".1"/>
    <geom type="box" size=".3 .2 .1" mass="1"/><site name="lidar" pos="0 0 .2"/></body>
</worldbody><actuator><motor joint="x" gear="4"/><motor joint="y" gear="4"/><motor joint="turn"/>
</actuator></mujoco>"""


class Arena(gym.Env):
    """A car that is pushed and turned; it observes its position and speed."""

    def __init__(self):
        self.model = mujoco.MjModel.from_xml_string(ARENA)
        self.data = mujoco.MjData(self.model)
        self.action_space = gym.spaces.Box(-1, 1, (self.model.nu,), np.float32)
        self.observation_space = gym.spaces.Box(-np.inf, np.inf, (6,), np.float64)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        mujoco.mj_resetData(self.model, self.data)
        self.data.qpos[:] = self.np_random.uniform(-0.5, 0.5, 3)
        mujoco.mj_forward(self.model, self.data)
        return self._state(), {}

    def step(self, action):
        self.data.ctrl[:] = action
        mujoco.mj_step(self.model, self.data, 5)
        mujoco.mj_kinematics(self.model, self.data)
        return self._state(), float(self.data.qvel[0]), False, False, {}

    def _state(self):
        return np.concatenate([self.data.qpos, self.data.qvel])


class LidarObservation(gym.ObservationWrapper):
    """Adds the ranges of a lidar, at most `reach`, to the observations of an environment with the
    members `model` and `data`."""

    def __init__(self, env, site, rays=180, reach=10.0):
        super().__init__(env)
        self.site, self.reach = site, reach
        self.pattern = bc.lidar_rays([0.0], 360 / rays)
        self.caster = ballotcast.mujoco.Caster(env.unwrapped.model)
        ranges = gym.spaces.Box(0, reach, (rays,), np.float32)
        spaces = {"state": env.observation_space, "lidar": ranges}
        self.observation_space = gym.spaces.Dict(spaces)

    def observation(self, state):
        self.caster.update(self.env.unwrapped.data)
        dist = self.caster.lidar(self.site, self.pattern).dist
        ranges = np.where(dist < 0, self.reach, np.minimum(dist, self.reach))
        return {"state": state, "lidar": ranges.astype(np.float32)}


env = LidarObservation(Arena(), "lidar")
seen, _ = env.reset(seed=1)
env.action_space.seed(1)
rows = [seen["lidar"]]
for _ in range(119):
    seen, *_ = env.step(env.action_space.sample())
    rows.append(seen["lidar"])
assert env.observation_space.contains(seen)
picture = np.repeat((25.5 * np.array(rows)).astype(np.uint8)[..., None], 3, axis=-1)
bc.write_png("gym_lidar.png", picture)  # a row for each step, a column for each ray
