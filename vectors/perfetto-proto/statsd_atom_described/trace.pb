
–PÂ

Š
a.protoandroid.os.statsd">
Atom6
battery_level (2.android.os.statsd.BatteryLevel",
BatteryLevel
level (
names (	
P@	¢
òMab